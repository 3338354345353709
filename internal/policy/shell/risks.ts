// Options that make a program run others or write files, as data; such a command needs an exact rule.

export interface Risk {
  /** Short option letters, alone or within a cluster. */
  short?: string
  /** Long option names; an abbreviation counts as well. */
  long?: string
  /** Words that are a risk, wherever they stand behind the program. */
  word?: RegExp
  /** More operands than this are a risk: the next one is a file to write. */
  operands?: number
  /** Any use is a risk. */
  all?: true
  /** What it may do, for people. */
  why: string
  /** It may run commands that stand nowhere on the line. */
  unseen?: true
}

const edits = 'it is an editor or pager that can start programs'
const code = 'it runs code'
const runs = 'it may run other programs'
const writes = 'it may write files'
const interactive: Risk = { all: true, why: edits, unseen: true }
const interpreter: Risk = { all: true, why: code, unseen: true }

/** By the last part of a program's path. */
export const risks: Readonly<Record<string, Risk | readonly Risk[]>> = {
  rg: { short: 'z', long: 'pre pre-glob hostname-bin search-zip', why: runs, unseen: true },
  ag: { long: 'pager', why: runs, unseen: true },
  ack: { long: 'pager', why: runs, unseen: true },
  find: {
    word: /^-(?:delete|fprint0?|fprintf|fls|files0-from|exec|execdir|ok|okdir)$/,
    why: 'it deletes, writes or runs',
  },
  fd: { short: 'xX', long: 'exec exec-batch', why: runs },
  fdfind: { short: 'xX', long: 'exec exec-batch', why: runs },
  tar: {
    ...{ short: 'IF', long: 'to-command checkpoint-action use-compress-program rsh-command rmt-command' },
    ...{ word: /^(?:[a-zA-Z]*[IF][a-zA-Z]*$|--(?:info|new-volume)-script)/, why: runs, unseen: true },
  },
  bsdtar: { long: 'use-compress-program', why: runs, unseen: true },
  cpio: { short: 'FHO', long: 'rsh-command to-stdout', why: runs, unseen: true },
  zip: { short: 'T', long: 'unzip-command test', why: runs, unseen: true },
  sort: [
    { short: 'oT', long: 'output temporary-directory files0-from', why: writes },
    { long: 'compress-program', why: runs, unseen: true },
  ],
  uniq: { operands: 1, why: writes },
  split: { long: 'filter', why: runs, unseen: true },
  xxd: { operands: 1, short: 'r', why: writes },
  tree: { short: 'oR', why: writes },
  date: { short: 's', long: 'set', why: 'it may set the clock' },
  hostname: { operands: 0, short: 'F', why: 'it may set the name of the machine' },
  tee: { operands: 0, why: writes },
  curl: {
    ...{ short: 'oOJTKDc', why: 'it may read, write or send files' },
    long: 'output output-dir remote-name remote-name-all upload-file config dump-header cookie-jar trace trace-ascii libcurl stderr',
  },
  wget: { long: 'use-askpass execute config post-file', short: 'e', why: runs, unseen: true },
  rsync: { short: 'e', long: 'rsh rsync-path', why: runs, unseen: true },
  scp: { short: 'SoFDJ', why: runs, unseen: true },
  sftp: { short: 'SoFDbs', why: runs, unseen: true },
  man: { short: 'PH', long: 'pager html', why: runs, unseen: true },
  go: {
    word: /^--?(?:exec|toolexec|overlay|vettool|modfile|C|o)(?:=|$)/,
    why: 'it may run or write elsewhere',
    unseen: true,
  },
  cargo: { word: /^(?:--config(?:=|$)|\+|-Z|-C)/, why: runs, unseen: true },
  make: {
    short: 'fCI',
    long: 'file makefile directory eval include-dir',
    word: /=/,
    why: runs,
    unseen: true,
  },
  npm: {
    long: 'script-shell shell prefix node-options globalconfig userconfig',
    short: 'C',
    why: runs,
    unseen: true,
  },
  pnpm: { long: 'script-shell dir config shell-emulator', short: 'C', why: runs, unseen: true },
  yarn: { long: 'cwd use-yarnrc script-shell', why: runs, unseen: true },
  gcc: { word: /^(?:-wrapper|-fplugin|-B|@)/, why: runs, unseen: true },
  cc: { word: /^(?:-wrapper|-fplugin|-B|@)/, why: runs, unseen: true },
  file: { short: 'CmfS', long: 'compile magic-file files-from no-sandbox', why: writes },
  test: { word: /^-[vR]$/, why: 'it evaluates the name of a variable', unseen: true },
  '[': { word: /^-[vR]$/, why: 'it evaluates the name of a variable', unseen: true },
  printf: { word: /^-v/, why: 'it sets a variable', unseen: true },
  cd: { operands: 1, why: 'it has too many operands' },
  deno: { word: /^(?:eval|repl|jupyter)$/, why: code, unseen: true },
  ...group('vi vim nvim view ex ed emacs emacsclient nano pico joe less more most pg', interactive),
  ...group(
    'sqlite3 psql mysql mariadb gdb lldb expect tclsh wish gnuplot octave R m4 dc osascript',
    interpreter,
  ),
  ...group('tmux screen at batch crontab systemctl launchctl run-parts start-stop-daemon machinectl perf', {
    ...{ all: true, why: runs, unseen: true },
  }),
  // builtins that change the shell that runs the rest of the line
  ...group(
    'alias unalias shopt enable hash bind complete compgen source . mapfile readarray let history fc',
    {
      ...{ all: true, why: 'it changes the shell itself', unseen: true },
    },
  ),
  ...group('declare typeset export readonly local unset read getopts coproc trap umask ulimit', {
    ...{ all: true, why: 'it changes the shell itself' },
  }),
  set: {
    word: /^(?!-[eu]+$|-[eu]*o$|\+[eux]$|pipefail$|errexit$|nounset$)/,
    why: 'it changes the shell itself',
  },
}

function group(names: string, risk: Risk): Record<string, Risk> {
  return Object.fromEntries(names.split(' ').map((name) => [name, risk]))
}
