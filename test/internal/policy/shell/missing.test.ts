// Without the grammar every line that needs it asks, and says why.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { folder, remove } from '../policies.ts'

test('every command needs approval if the grammar file is missing', async () => {
  const dir = folder()
  await build({
    stdin: {
      contents: `
        import { decide } from './internal/policy/decide.ts'
        import { resolveFacts } from './internal/policy/call-facts.ts'
        const policy = {
          mode: 'auto', rules: [{ tool: 'bash', action: 'allow', command: 'ls' }], profile: 'craft', agent: 'thread',
          readOnly: false, parents: [], roots: { workspace: process.cwd(), added: [], protected: [] },
        }
        for (const line of ['ls', 'ls; ls', 'ls "a"']) {
          const scope = [{ kind: 'command', line }]
          const call = { tool: 'bash', level: 'confirm_execute', args: {}, scope }
          const { action, reasons } = decide(await resolveFacts(call, policy, process.cwd()), policy)
          console.log(action, reasons.map((one) => one.text).join(' / '))
        }`,
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    loader: { '.md': 'text' },
    outfile: join(dir, 'gate.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
    logLevel: 'error',
  })
  const out = execFileSync(process.execPath, [join(dir, 'gate.mjs')], { cwd: dir, encoding: 'utf8' }).split(
    '\n',
  )
  expect(out[0]).toMatch(/^allow /)
  expect(out[1]).toMatch(/^ask .*the shell grammar is missing/)
  expect(out[2]).toMatch(/^ask .*the shell grammar is missing/)
  remove(dir)
})
