// Which environment variables change nothing but what a program prints.

const harmless: ReadonlySet<string> = new Set([
  ...[
    'LANG',
    'LANGUAGE',
    'TZ',
    'TERM',
    'COLORTERM',
    'COLUMNS',
    'LINES',
    'CI',
    'NO_COLOR',
    'FORCE_COLOR',
    'CLICOLOR',
  ],
  ...[
    'CLICOLOR_FORCE',
    'DEBUG',
    'VERBOSE',
    'QUIET',
    'NODE_ENV',
    'BABEL_ENV',
    'RAILS_ENV',
    'RACK_ENV',
    'APP_ENV',
    'MIX_ENV',
  ],
  ...[
    'RUST_BACKTRACE',
    'RUST_LOG',
    'GOMAXPROCS',
    'CARGO_TERM_COLOR',
    'PYTHONUNBUFFERED',
    'PYTHONDONTWRITEBYTECODE',
  ],
  ...['PYTHONHASHSEED', 'LOG_LEVEL', 'UPDATE', 'SEED', 'PORT', 'HUSKY', 'NO_UPDATE_NOTIFIER', 'DO_NOT_TRACK'],
])

const grave =
  /^(?:PATH|LD_.*|DYLD_.*|BASH_.*|ENV|IFS|PS4|SHELLOPTS|BASHOPTS|CDPATH|HOME|GIT_.*|SSH_.*|PYTHON.*|PERL.*|RUBY.*|NODE_.*|NPM_.*|npm_.*|JAVA_.*|JDK_.*|GO[A-Z]*|CARGO.*|RUSTC.*|CC|CXX|LD|AR|MAKE.*|LESS.*|XDG_.*|TMPDIR)$|PAGER|EDITOR|VISUAL|BROWSER|SHELL|COMMAND|CMD|ASKPASS|PRELOAD|WRAPPER|HOOK|OPTIONS|OPTS?$|FLAGS|PATH|CONFIG|_RC$/

/** True for variables that are known to name programs, options or files that decide what runs. */
export function decidesWhatRuns(name: string): boolean {
  return grave.test(name) && !harmless.has(name)
}

/** True for variables whose value is itself a command line. */
export function isCommandVariable(name: string): boolean {
  return /PAGER|EDITOR|VISUAL|BROWSER|COMMAND|CMD|ASKPASS|WRAPPER|^GIT_SSH$|^LESSOPEN$|^LESSCLOSE$|^PS4$/.test(
    name,
  )
}

/**
 * Why setting this variable may change what runs, or undefined when it is known not to. A list of the harmless ones:
 * the others (PATH, LD_*, GIT_*, PAGER, EDITOR, BASH_ENV, NODE_OPTIONS …) have no end.
 */
export function explainInfluence(name: string): string | undefined {
  return harmless.has(name) || /^LC_[A-Z]+$/.test(name)
    ? undefined
    : `it sets ${name}, which may change what runs`
}
