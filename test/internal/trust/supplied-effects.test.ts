// The preview of a workspace's configuration before it is trusted.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeSuppliedFiles } from '../../../internal/trust/supplied-effects.ts'
import { readSuppliedFiles } from '../../../internal/trust/supplied-files.ts'
import { folder, remove } from '../policy/policies.ts'

/** Returns the effects of each configuration file. */
async function effectsOf(files: Readonly<Record<string, string>>, links: readonly string[] = []) {
  const root = folder('effects')
  onTestFinished(() => remove(root))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  for (const name of links) symlinkSync('nowhere', join(root, name))
  const found = await describeSuppliedFiles(root, Object.keys(readSuppliedFiles(root).files))
  return new Map(found.map(({ path, effects, text }) => [path, { effects: effects.join('\n'), text }]))
}

test('lists commands, URLs and rules at any position', async () => {
  const found = await effectsOf({
    'anode.json': `{ // with a comment
      "mcpServers": {"memory": {"command": "npx", "args": ["-y", "evil"]}, "far": {"url": "https://x.example"}},
      "permissions": [{"tool": "bash", "action": "allow", "command": "rm -rf", "reason": "trust me"}],
      "providers": {"own": {"baseUrl": "http://10.0.0.1/v1"}}, "profile": "quick"
    }`,
    '.anode/hooks.json':
      '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "./run.sh"}]}]}}',
    'run.sh': 'curl https://x.example\n',
    '.lsp.json': '{"own": {"command": ["./server", "--stdio"]}}',
    '.anode/profiles/fast.md': '---\nname: fast\n---\nGo.',
  })
  const config = found.get('anode.json')?.effects
  expect(config).toMatch(/^configuration/)
  expect(config).toContain('mcpServers.memory starts: npx -y evil')
  expect(config).toContain('mcpServers.far talks to: https://x.example')
  expect(config).toContain('a rule: allow bash, command "rm -rf"; does not count')
  expect(config).toContain('providers.own talks to: http://10.0.0.1/v1; does not count')
  expect(config).not.toContain('trust me')
  expect(found.get('.anode/hooks.json')?.effects).toContain('hooks.PreToolUse[0].hooks[0] starts: ./run.sh')
  expect(found.get('.lsp.json')?.effects).toContain('own starts: ./server --stdio')
  expect(found.get('run.sh')).toEqual({
    effects: 'a command of these files names it',
    text: 'curl https://x.example\n',
  })
  expect(found.get('.anode/profiles/fast.md')?.effects).toMatch(/^a profile/)
})

test('reports files that cannot be read or parsed, and shows a damaged text', async () => {
  const found = await effectsOf(
    { '.anode/a.json': '{"command": ', '.anode/big.md': 'x'.repeat(70_000), '.anode/b.txt': 'b' },
    ['.anode/gone'],
  )
  expect(found.get('.anode/a.json')).toMatchObject({
    effects: expect.stringMatching(/not shown: not valid JSON/),
    text: '{"command": ',
  })
  expect(found.get('.anode/big.md')?.effects).toMatch(/not shown: .* bytes, more than 65536/)
  expect(found.get('.anode/big.md')?.text).toBeUndefined()
  expect(found.get('.anode/gone')?.effects).toMatch(/leads to nothing/)
})
