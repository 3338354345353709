// Addresses of remotes as people configure them.
import { expect, test } from 'vitest'
import { parseRemote } from '../../../../internal/study/verify/remote-address.ts'

test.each([
  ['git@github.com:acme/pools.git', 'https://github.com/acme/pools', '/blob'],
  ['https://github.com/acme/pools', 'https://github.com/acme/pools', '/blob'],
  ['https://user:ghp_secret@github.com/acme/pools.git/', 'https://github.com/acme/pools', '/blob'],
  [
    'ssh://git@gitlab.example.org:2222/group/sub/pools.git',
    'https://gitlab.example.org/group/sub/pools',
    '/-/blob',
  ],
  ['https://GitLab.com/acme/pools', 'https://gitlab.com/acme/pools', '/-/blob'],
])('%s', (url, web, blob) => expect(parseRemote(url)).toEqual({ web, blob }))

test.each([
  '/srv/git/pools.git',
  '../pools',
  'file:///srv/pools',
  'https://example.org/acme/pools',
  'https://github.com/',
  'git@github.com:a b/"><script>',
  '',
  undefined,
])('%j leads nowhere', (url) => expect(parseRemote(url)).toBeUndefined())
