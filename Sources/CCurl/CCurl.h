#include <curl/curl.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic; one function for each type of value. */
static inline CURLcode perch_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode perch_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode perch_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode perch_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode perch_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

typedef size_t (*perch_curl_data)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode perch_curl_set_data_function(CURL *easy, CURLoption option, perch_curl_data function) {
    return curl_easy_setopt(easy, option, function);
}

static inline CURLcode perch_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode perch_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode perch_curl_get_string(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}

typedef int (*perch_curl_seek)(void *context, curl_off_t offset, int origin);

static inline CURLcode perch_curl_set_seek_function(CURL *easy, CURLoption option, perch_curl_seek function) {
    return curl_easy_setopt(easy, option, function);
}

/* These are macros with a cast inside. */
static const long perch_curl_auth_basic = CURLAUTH_BASIC;
static const long perch_curl_auth_digest = CURLAUTH_DIGEST;
static const long perch_curl_auth_bearer = CURLAUTH_BEARER;
