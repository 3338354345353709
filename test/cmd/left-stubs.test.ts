// kill -9 of Anode while names are reserved in a workspace: the next start removes what is empty and its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { program, world } from '../support/anode.ts'
import { rounds } from '../support/sample.ts'
import { typed } from '../support/typed.ts'

const until = async (isSo: () => boolean) => {
  for (let i = 0; i < 1500 && !isSo(); i++) await sleep(10)
  return isSo()
}

test('only empty directories of the killed run are removed', { timeout: 300_000 }, async ({ skip }) => {
  const all = rounds(2, 20)
  let left = 0
  let tried = 0
  for (let round = 0; round < all; round++) {
    const at = world()
    try {
      const words = ['tools', 'use', 'bash', '--allow-non-read', '--arg', 'command=touch up; sleep 600']
      const env = { PATH: process.env.PATH, HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data }
      const child = spawn(process.execPath, [program, ...words], { cwd: at.dir, env, stdio: 'ignore' })
      const ended = once(child, 'exit')
      const file = (name: string) => join(at.dir, name)
      const isUp = await until(() => existsSync(file('up')))
      const stubs = readdirSync(at.dir).filter((name) => name !== 'up')
      // some rounds end while the names are only being reserved
      await sleep((round * 7) % 30)
      child.kill('SIGKILL')
      await ended
      expect(isUp).toBe(true)
      if (stubs.length === 0) return skip('no sandbox on this machine')
      const [filled = '', remade = '', ...others] = stubs
      writeFileSync(join(file(filled), 'mine'), 'x')
      // the stub's own inode may be used again, its time of birth is not
      rmdirSync(file(remade))
      mkdirSync(file(remade))
      mkdirSync(file('empty'))
      const next = await at.anode(['tools', 'use', 'bash', '--allow-non-read', '--arg', 'command=true'])
      expect(next.code).toBe(0)
      tried += others.length
      left += others.filter((name) => existsSync(file(name))).length
      expect(readdirSync(at.dir).sort()).toEqual([filled, remade, 'empty', 'up'].sort())
    } finally {
      at.remove()
    }
  }
  console.log(`survived/tried ${left}/${tried} (names reserved by a killed run, ${all} rounds)`)
})

test('commands of a trusted workspace print the same while names are reserved and after kill -9', {
  timeout: 300_000,
}, async ({ skip }) => {
  const at = world()
  try {
    expect(await typed(at, ['trust'], 'yes')).toMatchObject({ code: 0 })
    const commands = [
      ['config', 'doctor'],
      ['mcp', 'list'],
      ['lsp', 'list'],
      ['trust', '--status'],
    ]
    const printed = async () => {
      const results = await Promise.all(commands.map((words) => at.anode(words)))
      return results.map(({ code, out, err }) => ({ code, out, err }))
    }
    const before = await printed()
    expect(before.at(-1)?.out).toMatch(/: trusted/)
    const words = ['tools', 'use', 'bash', '--allow-non-read', '--arg', 'command=touch up; sleep 600']
    const env = { PATH: process.env.PATH, HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data }
    const child = spawn(process.execPath, [program, ...words], { cwd: at.dir, env, stdio: 'ignore' })
    const ended = once(child, 'exit')
    try {
      expect(await until(() => existsSync(join(at.dir, 'up')))).toBe(true)
      if (!existsSync(join(at.dir, 'anode.json'))) return skip('no sandbox on this machine')
      expect(await printed()).toEqual(before)
    } finally {
      child.kill('SIGKILL')
      await ended
    }
    expect(existsSync(join(at.dir, 'anode.json'))).toBe(true)
    expect(await printed()).toEqual(before)
    const next = await at.anode(['tools', 'use', 'bash', '--allow-non-read', '--arg', 'command=true'])
    expect(next).toMatchObject({ code: 0 })
    expect(readdirSync(at.dir)).toEqual(['up'])
  } finally {
    at.remove()
  }
})
