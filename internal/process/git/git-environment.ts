// The environment of git: variables that keep it from starting programs and from the network, and files
// that would block it.
import { FailureError } from '../../base/errors.ts'
import { findBlockingFile, type GitLayout, searchBlockingFile } from './git-layout.ts'

/** One setting of git, for example `['core.fsmonitor', 'false']`. */
export type GitSetting = readonly [key: string, value: string]

/**
 * Values that disable every setting with a fixed name that can start a program or reach another
 * machine. Settings whose names a repository chooses (filters, drivers) are found by git-drivers.ts.
 * The system's configuration is still read: it belongs to the owner of the machine and contains, for
 * example, the safe directories.
 */
const settings: readonly GitSetting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', ':'],
  ['core.askPass', ''],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', ''],
  ['core.alternateRefsCommand', 'false'],
  ['credential.helper', ''],
  ['sequence.editor', ':'],
  ['interactive.diffFilter', ''],
  ['init.templateDir', ''],
  // If GIT_GRAFT_FILE is set, even to an empty file as below, git prints eight lines of advice.
  ['advice.graftFileDeprecated', 'false'],
  ['log.showSignature', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['merge.verifySignatures', 'false'],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.ssh.defaultKeyCommand', 'false'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  // git's garbage collection in the background would outlive the command and be killed half done
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
]

/**
 * Environment variables that take precedence over the settings with the same purpose. With the editor `:`,
 * git opens no editor.
 */
const variables = {
  // Unlike protocol.allow, this also overrides a protocol.<name>.allow of the repository. No protocol is
  // named `none`, so every protocol is forbidden.
  GIT_ALLOW_PROTOCOL: 'none',
  // Git knows this variable since version 2.44. In older versions, forbidding every protocol has
  // the same effect.
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: ':',
  GIT_SEQUENCE_EDITOR: ':',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_SSH_COMMAND: 'false',
}

/**
 * Returns the variables for a child that is git or may start it. `more` are further settings. Starts
 * and reads nothing.
 */
export function hardenedGitEnvironment(more: readonly GitSetting[] = []): Record<string, string> {
  const environment: Record<string, string> = { ...variables }
  const all = [...settings, ...more]
  for (const [i, [key, value]] of all.entries()) {
    environment[`GIT_CONFIG_KEY_${i}`] = key
    environment[`GIT_CONFIG_VALUE_${i}`] = value
  }
  environment.GIT_CONFIG_COUNT = String(all.length)
  return environment
}

/** Milliseconds after which a running call triggers a search for a blocking file. */
const suspiciousMs = 2_000

/**
 * Runs `work`, which starts git or a search. After two seconds, looks in the checkout around `dir`, or
 * without a checkout below `dir`, for a file that git or the search reads and that is a pipe, a device or far
 * too large. If there is one, aborts the signal of `work` and rejects with FailureError `io` that names the
 * file. Does not start `work` if one of the files that git reads in nearly every call is such a file.
 * `layout` is the repository around `dir`, if any. A field `ended` in the result of `work` means that the
 * work was stopped early.
 */
export async function runUnblocked<T extends { ended?: unknown } | undefined>(
  layout: GitLayout | undefined,
  dir: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const first = layout && findBlockingFile(layout)
  if (first !== undefined) throw createBlockFailure(first)
  const stuck = new AbortController()
  const over = new AbortController()
  let blockingFile: string | undefined
  const timer = setTimeout(async () => {
    blockingFile = await searchBlockingFile(dir, layout, over.signal)
    if (blockingFile !== undefined) stuck.abort()
  }, suspiciousMs).unref()
  try {
    const outcome = await work(signal ? AbortSignal.any([signal, stuck.signal]) : stuck.signal)
    if (blockingFile !== undefined && outcome?.ended !== undefined && !signal?.aborted)
      throw createBlockFailure(blockingFile)
    return outcome
  } finally {
    clearTimeout(timer)
    over.abort()
  }
}

function createBlockFailure(path: string): FailureError {
  return new FailureError({
    code: 'io',
    message: `${path} is a pipe, a device or far too large: reading it would never end`,
    hint: 'Remove it, or put a regular file in its place.',
  })
}
