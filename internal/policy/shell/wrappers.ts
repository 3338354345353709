// Programs that run other programs, as data: how to find the command among their words.

/** Option letters and names are those of GNU, BSD and util-linux; an option that is not listed ends the search. */
export interface Wrapper {
  /** Short options without a value. */
  flags?: string
  /** Short options with a value, attached or as the next word. */
  valued?: string
  /** Long options without a separate value, blank separated; `--name=value` is always understood for both lists. */
  long?: string
  longValued?: string
  /** Options, short and long, whose value is shell text. */
  script?: string
  /** Words to pass over between the options and the command. */
  skip?: number
  /** NAME=value words may stand before the command. */
  assigns?: true
  /** What the rest is: one command, shell text in one or more words, or each word shell text of its own. */
  rest?: 'command' | 'script' | 'scripts' | 'none'
  /** More words may be added when it runs. */
  open?: true
  /** It runs the command in another folder, root or machine: always, or with one of these options. */
  moves?: true | string
  /** Its words leave doubt about what is the command. */
  vague?: true
  /** Options may also stand behind the other words. */
  mixed?: true
  /** Without a command it reads commands from standard input. */
  reads?: true
}

const prefix: Wrapper = {}
const container: Wrapper = {
  flags: 'itdTqP',
  valued: 'euwvpl',
  longValued: 'env user workdir volume name',
  moves: true,
}
const packaged: Wrapper = {
  flags: 'yqs',
  valued: 'p',
  script: 'c call',
  long: 'yes no no-install quiet silent bun',
  longValued: 'package call',
}
const plainRun: Wrapper = { flags: 'qv', long: 'quiet verbose' }

/** By program, or by program and subcommand. */
export const wrappers: Readonly<Record<string, Wrapper>> = {
  env: {
    ...{
      flags: 'i0v-',
      valued: 'uC',
      script: 'S split-string',
      long: 'ignore-environment null debug',
      assigns: true,
    },
    ...{ longValued: 'unset chdir', moves: 'C chdir' },
  },
  sudo: {
    flags: 'AbBEeHikKlnPSsvVN',
    valued: 'CDghpRrTtUu',
    long: 'askpass background preserve-env set-home login non-interactive preserve-groups stdin shell',
    longValued: 'close-from chdir group host prompt chroot role type command-timeout other-user user',
    assigns: true,
    moves: 'D R i chdir chroot login',
  },
  doas: { flags: 'Lns', valued: 'aCu' },
  pkexec: { longValued: 'user', long: 'disable-internal-agent keep-cwd', moves: true },
  su: {
    mixed: true,
    flags: 'lmpfP-',
    valued: 'gGsw',
    script: 'c command session-command',
    rest: 'none',
    moves: true,
  },
  runuser: {
    flags: 'lmpfP-',
    valued: 'gGswu',
    script: 'c command session-command',
    moves: true,
    vague: true,
  },
  xargs: {
    flags: '0oprtxiel123456789',
    valued: 'aEIJLnPRSds',
    long: 'null open-tty interactive no-run-if-empty verbose exit show-limits replace eof max-lines',
    longValued: 'arg-file delimiter max-args max-procs max-chars process-slot-var',
    open: true,
  },
  nohup: prefix,
  setsid: { flags: 'cfw', long: 'ctty fork wait' },
  nice: { flags: '0123456789', valued: 'n', longValued: 'adjustment' },
  ionice: { flags: 't', valued: 'cnpPu', longValued: 'class classdata' },
  chrt: { flags: 'abdfiorRv', valued: 'TPD', skip: 1 },
  time: {
    flags: 'plvaqV',
    valued: 'fo',
    longValued: 'format output',
    long: 'append portability verbose',
    assigns: true,
  },
  gtime: { flags: 'plvaqV', valued: 'fo', longValued: 'format output', long: 'append portability verbose' },
  timeout: {
    ...{
      flags: 'fpv',
      valued: 'ks',
      long: 'foreground preserve-status verbose',
      longValued: 'kill-after signal',
    },
    skip: 1,
  },
  stdbuf: { valued: 'ioe', longValued: 'input output error' },
  unbuffer: { flags: 'p' },
  chroot: { skip: 1, moves: true },
  flock: {
    flags: 'ensuxoFv',
    valued: 'wE',
    script: 'c command',
    long: 'exclusive shared nonblock nb unlock close no-fork verbose',
    longValued: 'timeout wait conflict-exit-code',
    skip: 1,
    mixed: true,
  },
  taskset: { flags: 'ac', skip: 1 },
  numactl: { longValued: 'membind cpunodebind physcpubind interleave', valued: 'NCmil' },
  prlimit: prefix,
  setpriv: { long: 'clear-groups keep-groups no-new-privs', longValued: 'reuid regid' },
  strace: { flags: 'cCdDfFhiqrtTvVwxyYzZkn', valued: 'aAbeEIoOpPsSuUX' },
  ltrace: { flags: 'cCfhirStTV', valued: 'aAdDeFlnopsuwxX' },
  valgrind: { flags: 'qv', long: 'quiet verbose' },
  script: { flags: 'aefqr', script: 'c command', valued: 'EIOBTt', mixed: true, rest: 'none' },
  watch: {
    flags: 'bcdegptxrw',
    valued: 'nqs',
    long: 'beep color exec',
    longValued: 'interval',
    rest: 'script',
  },
  parallel: {
    ...{
      flags: 'kqtuvX0m',
      valued: 'jaINnPS',
      longValued: 'jobs arg-file colsep joblog',
      long: 'bar keep-order',
    },
    ...{ rest: 'script', open: true, reads: true },
  },
  entr: { flags: 'acdnprxz', script: 's', open: true, vague: true },
  watchexec: { valued: 'ewif', flags: 'rcnqv', longValued: 'exts watch ignore', rest: 'script' },
  nodemon: {
    valued: 'wei',
    script: 'x exec',
    longValued: 'watch ext ignore',
    flags: 'qV',
    rest: 'none',
    mixed: true,
  },
  concurrently: {
    flags: 'krg',
    valued: 'ncp',
    longValued: 'names prefix',
    long: 'kill-others raw',
    rest: 'scripts',
  },
  hyperfine: {
    ...{ flags: 'iN', valued: 'wmMruSs', script: 'p c prepare cleanup setup conclude', rest: 'scripts' },
    ...{ longValued: 'warmup runs min-runs max-runs export-json export-csv shell style', mixed: true },
  },
  eval: { rest: 'script' },
  exec: { flags: 'cl', valued: 'a' },
  command: { flags: 'p' },
  builtin: prefix,
  busybox: prefix,
  toybox: prefix,
  ssh: {
    ...{
      flags: '46AaCfGgKkMNnqsTtVvXxYy',
      valued: 'BbcDEeFIiJLlmOQRSWwp',
      skip: 1,
      rest: 'script',
      moves: true,
    },
    mixed: true,
  },
  'systemd-run': {
    flags: 'tdGqPS',
    valued: 'pEu',
    long: 'user scope pty wait pipe',
    longValued: 'unit property setenv',
  },
  'dbus-run-session': prefix,
  'xvfb-run': { flags: 'al', valued: 'efnpsw', long: 'auto-servernum', longValued: 'server-args' },
  fakeroot: { flags: 'u' },
  faketime: { flags: 'mf', skip: 1 },
  caffeinate: { flags: 'disum', valued: 'tw' },
  proxychains: { flags: 'q', valued: 'f' },
  proxychains4: { flags: 'q', valued: 'f' },
  torsocks: prefix,
  firejail: { long: 'quiet noprofile private' },
  unshare: { flags: 'mUuinpCTfrc', long: 'fork pid mount user net map-root-user mount-proc', moves: true },
  nsenter: { flags: 'mUuinpCTFaZ', valued: 'tSG', long: 'all', longValued: 'target', moves: true },
  rlwrap: { flags: 'arciN', valued: 'fHs' },
  'cross-env': { assigns: true },
  'cross-env-shell': { assigns: true, rest: 'script' },
  dotenv: { valued: 'efvpc' },
  npx: packaged,
  pnpx: packaged,
  bunx: packaged,
  'npm exec': packaged,
  'npm x': packaged,
  'pnpm exec': packaged,
  'pnpm dlx': packaged,
  'yarn exec': packaged,
  'yarn dlx': packaged,
  'bun x': packaged,
  'bundle exec': plainRun,
  'poetry run': plainRun,
  'pipenv run': plainRun,
  'pdm run': plainRun,
  'hatch run': plainRun,
  'uv run': {
    flags: 'qvn',
    valued: 'p',
    longValued: 'python with extra group project',
    long: 'frozen locked isolated',
  },
  uvx: { longValued: 'from with python' },
  'rbenv exec': prefix,
  'pyenv exec': prefix,
  'mise exec': prefix,
  'mise x': prefix,
  'direnv exec': { skip: 1 },
  'conda run': { valued: 'np', flags: 'v', long: 'no-capture-output live-stream' },
  'docker exec': { ...container, skip: 1 },
  'docker run': { ...container, skip: 1, long: 'rm init privileged' },
  'podman exec': { ...container, skip: 1 },
  'podman run': { ...container, skip: 1, long: 'rm init privileged' },
  'kubectl exec': { ...container, valued: 'cn', longValued: 'container namespace', skip: 1 },
  'nix develop': { script: 'c command', rest: 'none', moves: true },
  'nix-shell': {
    script: 'run command',
    valued: 'pA',
    flags: '',
    longValued: 'packages',
    rest: 'none',
    mixed: true,
  },
  'cargo watch': { script: 's x shell exec', flags: 'cq', valued: 'w', rest: 'none' },
}

/** Shells, which take text after `-c`, a file, or standard input. */
export const shells: ReadonlySet<string> = new Set([
  ...[
    'sh',
    'bash',
    'dash',
    'zsh',
    'ksh',
    'ksh93',
    'mksh',
    'pdksh',
    'ash',
    'fish',
    'rbash',
    'csh',
    'tcsh',
    'yash',
    'posh',
  ],
])
