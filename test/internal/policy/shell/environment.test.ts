// Variables that change what runs.
import { expect, test } from 'vitest'
import {
  decidesWhatRuns,
  explainInfluence,
  isCommandVariable,
} from '../../../../internal/policy/shell/environment.ts'

test.each(['CI', 'NODE_ENV', 'LC_ALL', 'LANG', 'TERM', 'NO_COLOR', 'RUST_BACKTRACE'])(
  '%s is harmless',
  (name) => {
    expect(explainInfluence(name)).toBeUndefined()
    expect(decidesWhatRuns(name)).toBe(false)
  },
)

test.each([
  ...[
    'PATH',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'GIT_SSH_COMMAND',
    'GIT_DIR',
    'PAGER',
    'EDITOR',
  ],
  ...[
    'BASH_ENV',
    'ENV',
    'IFS',
    'PS4',
    'NODE_OPTIONS',
    'NODE_PATH',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'PERL5OPT',
    'RUBYOPT',
  ],
  ...[
    'JAVA_TOOL_OPTIONS',
    'LESSOPEN',
    'MANPAGER',
    'npm_config_script_shell',
    'RUSTC_WRAPPER',
    'MAKEFLAGS',
    'HOME',
  ],
])('%s decides what runs', (name) => {
  expect(explainInfluence(name)).toContain(name)
  expect(decidesWhatRuns(name)).toBe(true)
})

test('an unknown variable does not count as harmless', () => {
  expect(explainInfluence('FOO')).toBe('it sets FOO, which may change what runs')
  expect(decidesWhatRuns('FOO')).toBe(false)
})

test('knows the variables whose values are commands', () => {
  expect(['GIT_PAGER', 'VISUAL', 'GIT_SSH_COMMAND', 'PS4'].every(isCommandVariable)).toBe(true)
  expect(['PATH', 'CI', 'LD_PRELOAD'].some(isCommandVariable)).toBe(false)
})
