// The environment variables of Anode that a child gets.

import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { EnvironmentVariables } from '../base/environment.ts'
import { once } from '../base/once.ts'
import { containsSecret, isSecretName } from '../base/secrets.ts'

const named = new Set(
  `PATH HOME USER LOGNAME SHELL HOSTNAME LANG LANGUAGE TZ TMPDIR TMP TEMP CI
  SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy
  CC CXX CPATH LIBRARY_PATH LD_LIBRARY_PATH PKG_CONFIG_PATH MAKEFLAGS
  JAVA_HOME JDK_HOME ANDROID_HOME DOTNET_ROOT GRADLE_USER_HOME MAVEN_OPTS
  GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOPROXY GOFLAGS GOTOOLCHAIN GOENV CARGO_HOME RUSTUP_HOME
  NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME COREPACK_HOME DENO_DIR BUN_INSTALL
  PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYTHONPATH RBENV_ROOT GEM_HOME GEM_PATH BUNDLE_PATH
  GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM DOCKER_HOST ANODE_CONFIG ANODE_DATA_DIR`.split(/\s+/),
)

const prefixes = ['LC_', 'XDG_', 'NIX_', 'WSL', 'npm_config_', 'NPM_CONFIG_', 'GIT_AUTHOR_', 'GIT_COMMITTER_']

/** Additional variables for shell commands: settings of builds, tests and version control. */
const namedForCommands = new Set(
  `PWD OLDPWD SHLVL EDITOR VISUAL COLORTERM LINES COLUMNS MANPATH INFOPATH GPG_TTY GNUPGHOME
  CFLAGS CXXFLAGS CPPFLAGS LDFLAGS AR LD RANLIB CPLUS_INCLUDE_PATH C_INCLUDE_PATH ACLOCAL_PATH DESTDIR PREFIX
  CTEST_OUTPUT_ON_FAILURE CTEST_PARALLEL_LEVEL DEBUG VERBOSE LOG_LEVEL
  NODE_OPTIONS NODE_ENV NODE_PATH NODE_VERSION NODE_DEBUG NODE_NO_WARNINGS TS_NODE_PROJECT
  NVM_INC NVM_CD_FLAGS VOLTA_FEATURE_PNPM YARN_CACHE_FOLDER YARN_IGNORE_PATH PUPPETEER_EXECUTABLE_PATH
  PLAYWRIGHT_BROWSERS_PATH CHROME_BIN CHROME_PATH BROWSERSLIST
  RUSTFLAGS RUSTDOCFLAGS RUSTC RUSTC_WRAPPER RUST_BACKTRACE RUST_LOG RUST_TEST_THREADS CARGO_TARGET_DIR
  CARGO_BUILD_JOBS CARGO_BUILD_TARGET CARGO_INCREMENTAL CARGO_NET_OFFLINE CARGO_TERM_COLOR RUSTUP_TOOLCHAIN
  GO111MODULE GOOS GOARCH GOARM GOAMD64 GOEXPERIMENT GOPRIVATE GONOPROXY GONOSUMDB GOSUMDB GOTMPDIR GOWORK
  GOMAXPROCS GODEBUG GOGC GOMEMLIMIT CGO_ENABLED CGO_CFLAGS CGO_LDFLAGS
  PYTHONHOME PYTHONSTARTUP PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONIOENCODING PYTHONUTF8
  PYTHONHASHSEED PYTHONWARNINGS PYTHONBREAKPOINT PYTHONPYCACHEPREFIX PYENV_VERSION PYENV_SHELL PYTEST_ADDOPTS
  PIP_INDEX_URL PIP_CACHE_DIR PIP_REQUIRE_VIRTUALENV PIP_CONFIG_FILE PIPENV_VENV_IN_PROJECT TOX_ENV
  POETRY_HOME POETRY_VIRTUALENVS_IN_PROJECT
  UV_CACHE_DIR UV_PYTHON UV_PROJECT_ENVIRONMENT CONDA_EXE CONDA_SHLVL GITHUB_REF_NAME GITHUB_REPOSITORY
  VIRTUAL_ENV_PROMPT DJANGO_SETTINGS_MODULE FLASK_APP FLASK_ENV
  JAVA_OPTS JAVA_TOOL_OPTIONS GRADLE_OPTS GRADLE_HOME MAVEN_HOME M2_HOME MAVEN_ARGS SBT_OPTS KOTLIN_HOME
  ANDROID_SDK_ROOT ANDROID_NDK_HOME SDKMAN_DIR
  DOTNET_CLI_HOME DOTNET_NOLOGO DOTNET_CLI_TELEMETRY_OPTOUT NUGET_PACKAGES MSBUILDDISABLENODEREUSE
  RUBYOPT RUBYLIB RAILS_ENV RACK_ENV BUNDLE_GEMFILE BUNDLE_WITHOUT BUNDLE_JOBS RBENV_VERSION
  COMPOSER_HOME COMPOSER_CACHE_DIR APP_ENV PERL5LIB PERL_MM_OPT PERL_MB_OPT PERL_LOCAL_LIB_ROOT
  MIX_ENV HEX_HOME MIX_HOME STACK_ROOT CABAL_DIR OPAM_SWITCH_PREFIX OCAMLPATH ZIG_GLOBAL_CACHE_DIR ELAN_HOME
  ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR MISE_CONFIG_DIR HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY
  CCACHE_DIR CCACHE_DISABLE SCCACHE_DIR DOCKER_CONTEXT DOCKER_BUILDKIT COMPOSE_FILE COMPOSE_PROJECT_NAME
  KUBECONFIG TF_DATA_DIR TF_CLI_CONFIG_FILE
  GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_CEILING_DIRECTORIES GIT_DISCOVERY_ACROSS_FILESYSTEM
  GIT_CONFIG_SYSTEM GIT_OPTIONAL_LOCKS GIT_SSH GIT_SSH_COMMAND GIT_SSH_VARIANT GIT_EDITOR GIT_SEQUENCE_EDITOR
  GIT_LFS_SKIP_SMUDGE GIT_DEFAULT_HASH SSH_AUTH_SOCK DISPLAY WAYLAND_DISPLAY XAUTHORITY
  CONTINUOUS_INTEGRATION GITHUB_ACTIONS GITHUB_WORKSPACE GITHUB_SHA GITHUB_REF
  GITHUB_RUN_ID GITHUB_EVENT_NAME GITLAB_CI CI_PROJECT_DIR CI_COMMIT_SHA CI_COMMIT_REF_NAME BUILD_NUMBER
  RUNNER_OS RUNNER_ARCH RUNNER_TEMP TRACEPARENT TRACESTATE`.split(/\s+/),
)

const prefixesForCommands = ['CMAKE_', 'PKG_CONFIG_', 'OMP_', 'MALLOC_', 'ASAN_', 'UBSAN_', 'TSAN_', 'LSAN_']

/**
 * Settings that turn off history files. Programs with a prompt store their input in `~`, which is the
 * workspace under some toolsets.
 */
const withoutHistory: Readonly<Record<string, string>> = {
  HISTFILE: '/dev/null',
  fish_history: '',
  LESSHISTFILE: '-',
  NODE_REPL_HISTORY: '',
  TS_NODE_HISTORY: '',
  PYTHON_HISTORY: '/dev/null',
  SQLITE_HISTORY: '/dev/null',
  PSQL_HISTORY: '/dev/null',
  MYSQL_HISTFILE: '/dev/null',
  MARIADB_HISTFILE: '/dev/null',
  REDISCLI_HISTFILE: '/dev/null',
  GDBHISTFILE: '/dev/null',
}

const toVariables = (text: string, value: string) =>
  Object.fromEntries(text.split(/\s+/).map((name) => [name, value]))

/**
 * Settings for commands without a user at the keyboard: pagers print, and prompts, colors and
 * editors are off.
 */
const fixed = once(
  (): Readonly<Record<string, string>> => ({
    TERM: 'dumb',
    NO_COLOR: '1',
    ...withoutHistory,
    GIT_TERMINAL_PROMPT: '0',
    AWS_PAGER: '',
    ...toVariables('PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER GH_PAGER BAT_PAGER DELTA_PAGER PSQL_PAGER', 'cat'),
    // An editor would wait for input until the time limit, so `false` is set. `true` would accept a text that
    // the user never wrote.
    ...toVariables(
      'EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR HGEDITOR SVN_EDITOR KUBE_EDITOR GH_EDITOR',
      'false',
    ),
    ...toVariables('SUDO_EDITOR JJ_EDITOR FCEDIT', 'false'),
  }),
)

/**
 * Returns true for a variable whose name or value looks like a secret. A child must not inherit it unless the
 * user listed it.
 */
export function isSecretVariable(name: string, value: string): boolean {
  return isSecretName(name) || containsSecret(value)
}

/**
 * Returns the variables that a child gets by default: those of an allow list that contain no secret (to
 * find programs and tool chains, and for the language), those in `keep`, and fixed settings, such as pagers
 * that only print.
 */
export function allowedEnvironment(
  env: EnvironmentVariables,
  keep: readonly string[] = [],
): Record<string, string> {
  return pickVariables(
    env,
    keep,
    (name) => named.has(name) || prefixes.some((prefix) => name.startsWith(prefix)),
  )
}

/**
 * Returns the variables of commands: those of `allowedEnvironment`, and settings of builds, tests and version
 * control. The code lists the variables that pass, because no list of secrets is complete.
 */
export function commandEnvironment(
  env: EnvironmentVariables,
  keep: readonly string[] = [],
): Record<string, string> {
  const isAllowed = (name: string) => named.has(name) || namedForCommands.has(name)
  const starts = [...prefixes, ...prefixesForCommands]
  return pickVariables(
    env,
    keep,
    (name) => isAllowed(name) || starts.some((prefix) => name.startsWith(prefix)),
  )
}

/**
 * Returns the variables that pass: those that `passes` accepts and that are not secret, and those in `keep`.
 * `keep` contains names, or prefixes ending in `*`, from the setting `shell.env`, and always passes. Replaces
 * locales that are not installed, and adds fixed settings of terminals and pagers.
 */
function pickVariables(
  env: EnvironmentVariables,
  keep: readonly string[],
  passes: (name: string) => boolean,
): Record<string, string> {
  const listed = (name: string) =>
    keep.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry))
  const out: Record<string, string> = {}
  const keptVariables: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue
    if (listed(name)) keptVariables[name] = value
    else if (passes(name) && !isSecretVariable(name, value)) out[name] = value
  }
  return { ...withInstalledLocale(out, env), ...fixed(), ...keptVariables }
}

const isLocaleVariable = (name: string) => name === 'LANG' || name.startsWith('LC_')

/**
 * Returns the variables with C.UTF-8 in place of locales that are not installed. If C.UTF-8 is missing too,
 * those variables are removed. Nothing changes if locales are found in another way: outside glibc, and if a
 * variable sets their path.
 */
export function withInstalledLocale(
  env: Readonly<Record<string, string>>,
  { LOCPATH, LOCALE_ARCHIVE }: EnvironmentVariables,
  root = '/usr/lib/locale',
): Record<string, string> {
  const out = { ...env }
  if (LOCPATH || LOCALE_ARCHIVE) return out
  const missing = Object.entries(env).filter(
    ([name, value]) => isLocaleVariable(name) && value !== '' && !isInstalled(value, root),
  )
  const isUnicodeThere = missing.length > 0 && isInstalled('C.UTF-8', root)
  for (const [name] of missing) {
    if (isUnicodeThere) out[name] = 'C.UTF-8'
    else delete out[name]
  }
  return out
}

const localeCache = new Map<string, boolean>()

/**
 * Returns true for an installed locale, and also if that cannot be decided from its name or the directory of
 * locales is missing.
 */
function isInstalled(locale: string, root: string): boolean {
  // a bare word such as `german` may be one of the aliases of glibc
  if (/^(?:C|POSIX|\/.*|[a-z]{4,})$/.test(locale)) return true
  const key = `${root}\0${locale}`
  let isThere = localeCache.get(key)
  if (isThere === undefined) {
    isThere = !existsSync(root) || spellingsOf(locale).some((name) => isStored(name, root))
    localeCache.set(key, isThere)
  }
  return isThere
}

/**
 * Returns the spellings of a locale: as written, and as glibc stores it. For `de_DE.UTF-8@euro` the second
 * one is `de_DE.utf8@euro`. A locale without a character set has one spelling.
 */
function spellingsOf(locale: string): string[] {
  const [, name = '', codeset, modifier = ''] = /^([^.@]*)(?:\.([^@]*))?(@.*)?$/.exec(locale) ?? []
  if (codeset === undefined) return [locale]
  return [locale, `${name}.${codeset.toLowerCase().replace(/[^a-z0-9]/g, '')}${modifier}`]
}

const isStored = (name: string, root: string) =>
  (/^[\w.@-]+$/.test(name) && existsSync(join(root, name, 'LC_CTYPE'))) || archiveNames(root).has(name)

const archives = new Map<string, ReadonlySet<string>>()

function archiveNames(root: string): ReadonlySet<string> {
  const names = archives.get(root) ?? readArchive(join(root, 'locale-archive'))
  archives.set(root, names)
  return names
}

/**
 * Returns the strings of a locale archive, whose header contains their position. Empty without an archive.
 */
function readArchive(file: string): ReadonlySet<string> {
  let fd: number | undefined
  try {
    fd = openSync(file, 'r')
    const header = Buffer.alloc(28)
    readSync(fd, header, 0, header.length, 0)
    // magic, serial, then offset, used and size of the table of names, then offset and used of the strings
    const strings = Buffer.alloc(Math.min(header.readUInt32LE(24), 1024 * 1024))
    readSync(fd, strings, 0, strings.length, header.readUInt32LE(20))
    return new Set(strings.toString('latin1').split('\0'))
  } catch {
    return new Set()
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
