#include <microhttpd.h>

/* MHD_start_daemon is variadic. Without a thread of its own: whoever calls MHD_run() runs it. */
static inline struct MHD_Daemon *perch_httpd_start(
    int listener, MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed, void *context,
    unsigned int connections, size_t connection_memory, unsigned int idle_seconds) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, context,
        MHD_OPTION_LISTEN_SOCKET, listener,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_END);
}

/* MHD_get_daemon_info is variadic, too. -1 when there is none. */
static inline int perch_httpd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/* Swift's names for these depend on the library's version. */
static const enum MHD_Result perch_httpd_yes = MHD_YES;
static const enum MHD_Result perch_httpd_no = MHD_NO;

static inline const char *perch_httpd_header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static inline struct MHD_Response *perch_httpd_response(const void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
