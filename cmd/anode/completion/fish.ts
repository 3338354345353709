// The completion script for the shell fish, for which the library yargs has no template.

/** Text of the script. It asks Anode for candidates, and completes file names if Anode returns none. */
export const fishScript = `# anode: completion for fish
function __anode_candidates
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found (anode --get-yargs-completions $words "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c anode -f -a '(__anode_candidates)'
`
