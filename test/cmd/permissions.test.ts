// Modes, presets and explanations through the built program.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { approvalChoices } from '../../cmd/anode/flags.ts'
import { type World, world } from '../support/anode.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

const explain = (tool: string, args: unknown, ...words: string[]) =>
  at.anode(['permissions', 'explain', tool, '--json', JSON.stringify(args), ...words])

const edit = (path: string) => ({
  calls: [{ name: 'edit_file', args: { path, old_str: 'a - b', new_str: 'a + b' } }],
})

it('edits a file in the workspace under --approval edits and auto, without approval', async () => {
  for (const [mode, fixed] of [
    ['ask', false],
    ['edits', true],
    ['auto', true],
    ['unrestricted', true],
    ['yolo', true],
  ] as const) {
    writeFileSync(join(at.dir, 'sum.mjs'), 'export const sum = (a, b) => a - b\n')
    mkdirSync(join(at.dir, '.husky'), { recursive: true })
    writeFileSync(join(at.dir, '.husky/x'), 'a - b\n')
    const replies = [edit('sum.mjs'), edit('.husky/x'), { text: 'done' }]
    at.put('replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
    await at.anode(['execute', 'Fix it', '--model', 'script:replies.jsonl', '--approval', mode])
    expect(readFileSync(join(at.dir, 'sum.mjs'), 'utf8').includes('a + b'), mode).toBe(fixed)
    expect(readFileSync(join(at.dir, '.husky/x'), 'utf8'), mode).toBe('a - b\n')
  }
})

it('init_experiment needs approval in mode auto', async () => {
  const args = { name: 'x', primary_metric: 'ms', direction: 'lower', command: 'ls' }
  expect((await explain('init_experiment', args, '--approval', 'auto')).code).toBe(10)
})

it('reports invalid arguments of a tool as an error of the user, not of the program', async () => {
  for (const patch of [
    'garbage',
    '--- a/x\n+++ b/x\n@@ nonsense',
    '*** Begin Patch\nx',
    '*** Begin Patch\n*** End Patch',
  ]) {
    const { code, err } = await explain('apply_patch', { patch })
    expect(code, err).toBe(2)
    expect(err).toMatch(/^anode: /)
    expect(err).not.toMatch(/bug|report/)
  }
  expect((await explain('edit_file', { path: 'a\0b', old_str: 'a', new_str: 'b' })).code).toBe(11)
})

it('describes a mode in words for users, and in codes for programs', async () => {
  const { out, code } = await explain('create_file', { path: 'x', content: '' })
  expect(code).toBe(10)
  expect(out).toContain('writes a file; mode ask asks for every write')
  expect(out).not.toMatch(/confirm_|level/)
  const { out: json } = await explain('bash', { command: 'npm test' }, '--output', 'json')
  expect(JSON.parse(json)).toMatchObject({
    action: 'ask',
    code: 'denied',
    reasons: [{ by: 'level' }, { by: 'shell' }],
    always: [{ rule: { command: 'npm test', cwd: '.' }, covers: expect.stringContaining('npm test') }],
  })
  for (const mode of approvalChoices)
    expect((await explain('create_file', { path: 'x', content: '' }, '--approval', mode)).code).toBe(
      mode === 'ask' ? 10 : 0,
    )
})

it('accepts yolo as a preset, and shows the directory of a rule', async () => {
  const config = {
    permissionPreset: 'yolo',
    permissions: [{ tool: 'bash', action: 'deny', command: 'rm', cwd: 'sub' }],
  }
  at.put('user.json', JSON.stringify(config))
  const env = { ANODE_CONFIG: join(at.dir, 'user.json') }
  const { out } = await at.anode(['permissions', 'list'], { env })
  expect(out).toContain('preset unrestricted')
  expect(out).toMatch(/command rm; cwd sub/)
  expect(existsSync(join(at.dir, 'sub'))).toBe(false)
})
