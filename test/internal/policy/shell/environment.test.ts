// Variables that change what runs.
import { expect, test } from 'vitest'
import { decides, holdsCommand, influence } from '../../../../internal/policy/shell/environment.ts'

test.each(['CI', 'NODE_ENV', 'LC_ALL', 'LANG', 'TERM', 'NO_COLOR', 'RUST_BACKTRACE'])(
  '%s is harmless',
  (name) => {
    expect(influence(name)).toBeUndefined()
    expect(decides(name)).toBe(false)
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
  expect(influence(name)).toContain(name)
  expect(decides(name)).toBe(true)
})

test('a name that nobody knows is no harmless one', () => {
  expect(influence('FOO')).toBe('it sets FOO, which may change what runs')
  expect(decides('FOO')).toBe(false)
})

test('values that are command lines', () => {
  expect(['GIT_PAGER', 'VISUAL', 'GIT_SSH_COMMAND', 'PS4'].every(holdsCommand)).toBe(true)
  expect(['PATH', 'CI', 'LD_PRELOAD'].some(holdsCommand)).toBe(false)
})
