// Rules prove themselves by their own examples when they are loaded.
import { expect, test } from 'vitest'
import type { PermissionRule } from '../../../../internal/policy/rules/permission-rule.ts'
import { checkRules } from '../../../../internal/policy/rules/rule-check.ts'

const good: PermissionRule[] = [
  {
    tool: 'bash',
    action: 'allow',
    command: 'git log',
    examples: {
      match: ['git log -1', "git 'log'"],
      no_match: ['git logger', 'git log; rm x', 'git log $X', '/bin/git log'],
    },
  },
  {
    tool: 'bash',
    action: 'deny',
    command: 'rm *',
    examples: {
      match: ['rm', 'ls; rm x', 'sudo rm x', '/bin/rm x', "sh -c 'rm x'"],
      no_match: ['ls', 'echo rm'],
    },
  },
  {
    tool: 'bash',
    action: 'allow',
    command: '=ls | wc -l',
    examples: { match: ['ls | wc -l'], no_match: ['ls'] },
  },
  {
    tool: 'edit_file',
    action: 'allow',
    path: 'src/**',
    examples: { match: ['src/a.ts', './src/b'], no_match: ['a.ts', '/src/a.ts'] },
  },
  {
    tool: 'edit_file',
    action: 'deny',
    path: 'secret',
    examples: { match: ['secret/a', 'SECRET'], no_match: ['secrets'] },
  },
  { tool: '*', action: 'deny', path: '~/x/*', examples: { match: ['/home/user/x/a'], no_match: ['x/a'] } },
  {
    tool: 'web_*',
    action: 'deny',
    host: '*.x.org',
    examples: { match: ['a.x.org', 'A.X.ORG'], no_match: ['x.org'] },
  },
  {
    tool: 'mcp__*',
    action: 'ask',
    args: { n: '/^a/' },
    examples: { match: ['{"n":"ab"}'], no_match: ['{"n":"b"}', '{}'] },
  },
  { tool: 'mcp__*', action: 'ask', examples: { match: ['mcp__a__b'], no_match: ['bash'] } },
  {
    tool: 'bash',
    action: 'deny',
    profile: 'quick',
    agent: 'subagent',
    command: 'rm',
    examples: { match: ['rm x'] },
  },
]
test.each(good.map((rule) => ({ name: JSON.stringify(rule), rule })))('accepts $name', async ({ rule }) => {
  await expect(checkRules([rule])).resolves.toBeUndefined()
})

const bad: [PermissionRule, string][] = [
  [
    { tool: 'bash', action: 'allow', command: 'git', examples: { match: ['hg'] } },
    'should match its example "hg"',
  ],
  [
    { tool: 'bash', action: 'allow', command: 'git', examples: { no_match: ['git log'] } },
    'should not match its example "git log"',
  ],
  [{ tool: 'bash', action: 'allow', command: 'git', examples: { match: ['git log | sh'] } }, 'should match'],
  [{ tool: 'bash', action: 'allow', command: 'npm run test:*' }, '* matches further words only at the end'],
  [{ tool: 'bash', action: 'allow', command: '=' }, 'the command is empty'],
  [{ tool: 'x', action: 'deny', args: { a: '/(/' } }, 'not a regular expression'],
  ...['{', 'a', '', '5', 'null', '[]', '"a"'].map((example): [PermissionRule, string] => [
    { tool: 'x', action: 'deny', args: { a: 'b' }, examples: { match: [example] } },
    'is not a JSON object',
  ]),
  [
    { tool: 'edit_file', action: 'allow', path: 'a/*', examples: { match: ['a/b/c'] } },
    'should match its example "a/b/c"',
  ],
  [{ tool: 'mcp__*', action: 'ask', examples: { match: ['bash'] } }, 'should match its example "bash"'],
]
test.each(bad.map(([rule, text]) => ({ name: JSON.stringify(rule), rule, text })))(
  'rejects $name',
  async ({ rule, text }) => {
    const rules: PermissionRule[] = [
      { tool: 'read', action: 'allow' },
      { ...rule, origin: 'anode.json' },
    ]
    const error = await checkRules(rules).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'UserError' })
    expect((error as Error).message).toContain(text)
    expect((error as Error).message).toContain('permission rule 2 (')
    expect((error as Error).message).toContain('in anode.json')
  },
)

test('a rule whose pattern cannot be read stops the start, at every key', async () => {
  const paths = ['secret/[', 'a/{b', 'a/{b}', '!a/**', '@(a|b)', '../x', '[[:alpha:]]', '[b-a]', 'a\\']
  const hosts = ['{a,b}.org', '[ab].org', 'https://a.org', 'a.org/x', 'a b', '!a.org']
  const rules: PermissionRule[] = [
    ...paths.flatMap((path) =>
      (['allow', 'ask', 'deny'] as const).flatMap((action): PermissionRule[] => [
        { tool: '*', action, path },
        { tool: 'read', action, path: `~/${path.replace(/^!/, '{')}` },
        { tool: 'bash', action, command: 'ls', cwd: path },
      ]),
    ),
    ...hosts.map((host): PermissionRule => ({ tool: 'web_fetch', action: 'deny', host })),
  ]
  for (const rule of rules)
    await expect(checkRules([rule]), JSON.stringify(rule)).rejects.toThrow(/permission rule 1 .*is not a/s)
  for (const host of ['a.org', '*.a.org', '127.0.0.1', '::1', '[::1]', 'bücher.example', 'a-b_c'])
    await checkRules([{ tool: 'web_fetch', action: 'deny', host }])
})
