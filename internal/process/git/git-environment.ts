// Environment variables that keep git from starting programs, from the network and from replaced objects.

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
