/// Scripts that complete the words of a command line, each in the language of its shell.
enum CompletionScript {
    // MARK: bash

    /// For bash-completion, and without it.
    @Sendable
    static func bash(_ verbs: [Verb]) -> String {
        let cases = verbs.map { verb in
            """
                    \(verb.name))
                        flags="\((verb.flags.flatMap(\.spellings) + ["--help"]).joined(separator: " "))"
                        words="\(bashWords(verb.words))"
                        case $before in
            \(bashValues(verb))            *) ;;
                        esac ;;
            """
        }
        return """
            # bash completion for perch; made by `perch completion bash`
            _perch() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} flags= words= value=
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    mapfile -t COMPREPLY < <(compgen -W "\(verbs.map(\.name).joined(separator: " ")) help" -- "$word")
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(cases.joined(separator: "\n"))
                esac
                if [ -n "$value" ]; then
                    words=$value
                elif [[ $word == -* ]]; then
                    words="-W $flags"
                fi
                case $words in
                    files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
                    directories) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
                    "-W "*) mapfile -t COMPREPLY < <(compgen -W "${words#-W }" -- "$word") ;;
                esac
            }
            complete -F _perch perch
            """
    }

    private static func bashWords(_ words: CompletionWords) -> String {
        switch words {
        case .free: "free"
        case .files: "files"
        case .directories: "directories"
        case .choices(let choices): "-W \(choices.joined(separator: " "))"
        }
    }

    private static func bashValues(_ verb: Verb) -> String {
        verb.flags.compactMap { flag in
            flag.words.map { words in
                "                \(flag.spellings.joined(separator: "|"))) value=\"\(bashWords(words))\" ;;\n"
            }
        }.joined()
    }

    // MARK: zsh

    /// For a folder of `fpath`.
    @Sendable
    static func zsh(_ verbs: [Verb]) -> String {
        let titles = verbs.map { "        '\(zshQuoted($0.name, $0.title))'" }
        let cases = verbs.map { verb in
            let specifications = verb.flags.flatMap { flag in
                flag.spellings.map { spelling in
                    let text = bracketed(flag.summary)
                    let value = flag.words.map { ":\(flag.value ?? ""):\(zshWords($0))" } ?? ""
                    return "'*\(spelling)\(value.isEmpty || !spelling.hasPrefix("--") ? "" : "=")[\(text)]\(value)'"
                }
            }
            let operand = verb.operands.isEmpty ? [] : ["'*:\(bracketed(verb.operands)):\(zshWords(verb.words))'"]
            let all = (specifications + ["'--help[tells more]'"] + operand).joined(separator: " \\\n                ")
            return "        \(verb.name))\n            _arguments \\\n                \(all) ;;"
        }
        return """
            #compdef perch
            # zsh completion for perch; made by `perch completion zsh`
            _perch() {
                local -a verbs
                verbs=(
            \(titles.joined(separator: "\n"))
                )
                if (( CURRENT == 2 )); then
                    _describe verb verbs
                    return
                fi
                local verb=$words[2]
                shift words
                (( CURRENT-- ))
                case $verb in
            \(cases.joined(separator: "\n"))
                esac
            }
            if [ "$funcstack[1]" = _perch ]; then _perch "$@"; else compdef _perch perch; fi
            """
    }

    private static func zshWords(_ words: CompletionWords) -> String {
        switch words {
        case .free: " "
        case .files: "_files"
        case .directories: "_files -/"
        case .choices(let choices): "(\(choices.joined(separator: " ")))"
        }
    }

    private static func zshQuoted(_ name: String, _ text: String) -> String {
        "\(name):\(text.replacing("'", with: "'\\''"))"
    }

    /// In brackets, and between colons, of `_arguments`.
    private static func bracketed(_ text: String) -> String {
        var result = ""
        for character in text {
            if "[]:\\".contains(character) { result += "\\" }
            result += character == "'" ? "'\\''" : character == "\n" ? " " : String(character)
        }
        return result
    }

    // MARK: fish

    /// For a folder of fish's completions.
    @Sendable
    static func fish(_ verbs: [Verb]) -> String {
        var lines = [
            "# fish completion for perch; made by `perch completion fish`", "complete -c perch -f",
        ]
        for verb in verbs {
            lines.append("complete -c perch -n __fish_use_subcommand -a \(verb.name) -d \(fishQuoted(verb.title))")
        }
        for verb in verbs {
            let here = "complete -c perch -n '__fish_seen_subcommand_from \(verb.name)'"
            for flag in verb.flags {
                let letter = flag.letter.map { " -s \($0)" } ?? ""
                lines.append("\(here) -l \(flag.name)\(letter)\(fishValue(flag.words)) -d \(fishQuoted(flag.summary))")
            }
            switch verb.words {
            case .free: break
            case .files: lines.append("\(here) -F")
            case .directories: lines.append("\(here) -a '(__fish_complete_directories)'")
            case .choices(let choices): lines.append("\(here) -a '\(choices.joined(separator: " "))'")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func fishValue(_ words: CompletionWords?) -> String {
        switch words {
        case nil: ""
        case .free: " -x"
        case .files: " -r -F"
        case .directories: " -x -a '(__fish_complete_directories)'"
        case .choices(let choices): " -x -a '\(choices.joined(separator: " "))'"
        }
    }

    private static func fishQuoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'").replacing("\n", with: " "))'"
    }
}
