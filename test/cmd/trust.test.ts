// Trust and approvals that only a user can give: not a script, an agent or another environment.
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { root } from '../support/sources.ts'
import { typed } from '../support/typed.ts'

vi.setConfig({ testTimeout: 60_000 })

let at: World
beforeEach(() => {
  at = world()
  at.put('.anode/hooks.json', '{}')
})
afterEach(() => at.remove())

const state = async () => JSON.parse((await at.anode(['trust', '--status', '--json'])).out).state as string
const program = join(root, 'dist', 'anode.cjs')

describe('trust', () => {
  test('is given by a typed yes, and by nothing else', async () => {
    for (const answer of ['', 'y', 'YES!', 'no'])
      expect((await typed(at, ['trust'], answer)).screen).toContain('nothing was changed, because')
    expect(await at.anode(['trust'], { input: 'yes\n' })).toMatchObject({ code: 4, out: '' })
    expect(await at.anode(['mcp', 'trust'], { input: 'yes\n' })).toMatchObject({ code: 4, out: '' })
    expect(await state()).toBe('untrusted')
    const { screen, code } = await typed(at, ['trust'], 'yes')
    expect(screen).toContain('.anode/hooks.json')
    expect(code).toBe(0)
    expect(await state()).toBe('trusted')
  })

  test.each([
    ['as it is', ''],
    ['with a terminal of its own', `script -qefc "$LINE" /dev/null`],
    ['with an empty environment', 'env -i HOME="$HOME" PATH="$PATH" $LINE'],
    [
      'with both',
      `env -i HOME="$HOME" PATH="$PATH" ANODE_DATA_DIR="$ANODE_DATA_DIR" script -qefc "$LINE" /dev/null`,
    ],
  ])('cannot be given by a command of an agent, %s', async (_, line) => {
    const anode = `${process.execPath} ${program} trust`
    const command = `export LINE="${anode}"; echo yes | ${line || '$LINE'} 2>&1; echo over`
    const replies = [{ calls: [{ name: 'bash', args: { command } }] }, { text: 'done' }]
    at.put('../replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
    const words = [
      'execute',
      'go',
      '--model',
      'script:../replies.jsonl',
      '--approval',
      'unrestricted',
      '--sandbox',
      'off',
    ]
    const { out } = await at.anode([...words, '--stream-json'])
    expect(out).toContain('only a user may decide this')
    expect(await state()).toBe('untrusted')
  })

  test('can be granted in advance, by digest, outside of every workspace', async () => {
    const { digest } = JSON.parse((await at.anode(['trust', '--status', '--json'])).out)
    for (const where of [at.dir, '*']) {
      at.put('../.config/anode/trusted.json', JSON.stringify({ [where]: [digest] }))
      expect(await state()).toBe('trusted')
    }
    at.put('.anode/hooks.json', '{ }')
    expect(await state()).toBe('untrusted')
    at.put('../.config/anode/trusted.json', '[]')
    const { code, err } = await at.anode(['doctor'])
    expect(code).toBe(1)
    expect(err + code).not.toContain('bug')
  })
  test('can be granted for a workspace that has no configuration', async () => {
    const bare = world()
    try {
      bare.put('../.config/anode/trusted.json', JSON.stringify({ '*': ['nothing'] }))
      const stateOf = async () => JSON.parse((await bare.anode(['trust', '--status', '--json'])).out).state
      expect(await stateOf()).toBe('trusted')
      const explain = [
        'permissions',
        'explain',
        'bash',
        '--arg',
        'command=npm test',
        '--approval',
        'auto',
        '--sandbox',
        'off',
      ]
      expect(await bare.anode(explain)).toMatchObject({ code: 0 })
      bare.put('.anode/hooks.json', '{}')
      expect(await stateOf()).toBe('untrusted')
      expect(await bare.anode(explain)).toMatchObject({ code: 10 })
    } finally {
      bare.remove()
    }
  })
})
