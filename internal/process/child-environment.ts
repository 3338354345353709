// Which of Anode's environment variables a child gets to see.
import type { EnvironmentVariables } from '../base/environment.ts'
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

/** Nothing may page, prompt or colour: nobody is there to answer or to see it. */
const fixed: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  AWS_PAGER: '',
  GIT_TERMINAL_PROMPT: '0',
  NO_COLOR: '1',
}

/**
 * Dropped from a shell too: they colour against NO_COLOR or run a program before the command that was judged.
 */
const dropped = new Set(['FORCE_COLOR', 'CLICOLOR_FORCE', 'BASH_ENV', 'ENV', 'PROMPT_COMMAND', 'ANODE_RUN'])

/** True for variables that a child must not inherit unless the person listed them. */
export function isSecretVariable(name: string, value: string): boolean {
  return isSecretName(name) || containsSecret(value)
}

/**
 * The allow list: what programs need to be found, to speak the right language and to find their tool chains.
 */
export function allowedEnvironment(
  env: EnvironmentVariables,
  keep: readonly string[] = [],
): Record<string, string> {
  return pick(env, keep, (name) => named.has(name) || prefixes.some((prefix) => name.startsWith(prefix)))
}

/** For the shell tool, where a person expects their own variables: everything but secrets. */
export function withoutSecrets(
  env: EnvironmentVariables,
  keep: readonly string[] = [],
): Record<string, string> {
  return pick(env, keep, (name) => !dropped.has(name))
}

/**
 * `keep` holds names or prefixes ending in `*`, from the setting `shell.env`; what is listed there always
 * passes.
 */
function pick(
  env: EnvironmentVariables,
  keep: readonly string[],
  passes: (name: string) => boolean,
): Record<string, string> {
  const listed = (name: string) =>
    keep.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry))
  const out: Record<string, string> = {}
  const asked: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue
    if (listed(name)) asked[name] = value
    else if (passes(name) && !isSecretVariable(name, value)) out[name] = value
  }
  return { ...out, ...fixed, ...asked }
}
