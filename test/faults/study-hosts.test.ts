// A study on three hosts, which are network namespaces: a server, the machine of the user, and a worker that has
// another commit. The worker and the user reach only the server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { corpus, machines, question } from '../support/many-machines.ts'
import { createHosts, missingHosts } from '../support/network-hosts.ts'
import { whereRedis } from '../support/redis.ts'
import { git } from '../support/repo.ts'

vi.setConfig({ testTimeout: 240_000 })

function commit(dir: string): string {
  git(dir, 'add', '--all')
  git(dir, 'commit', '--quiet', '--message=x')
  return git(dir, 'rev-parse', 'HEAD').trim()
}

const password = 's3cret'

/** Starts a server on the host in the center. */
async function serveRedis(through: readonly string[], dir: string) {
  const [file = '', ...before] = [...through, 'redis-server']
  const flags = ['--port', '6379', '--bind', '0.0.0.0', '--requirepass', password, '--dir', dir]
  const child = spawn(file, [...before, ...flags, '--save', '', '--appendonly', 'yes'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const part of child.stdout.setEncoding('utf8'))
    if (String(part).includes('Ready to accept connections')) break
  return async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

const missing = missingHosts()

whereRedis('hosts', () => {
  describe.skipIf(missing !== undefined)(missing ?? 'in network namespaces', () => {
    test('a worker of another host reads the commit; a cut link leaves its tasks to others', async ({
      onTestFinished,
    }) => {
      const park = machines()
      const { hosts, through, remove } = createHosts(['lead', 'far', 'near'])
      const [home, away, other] = hosts
      if (!home || !away || !other) throw new Error('no hosts')
      const dir = mkdtempSync(join(tmpdir(), 'anode-center-'))
      const stop = await serveRedis(through, dir)
      onTestFinished(async () => {
        await park.clear()
        await stop()
        remove()
        rmSync(dir, { recursive: true })
      })
      const urlOf = ({ center }: { center: string }) => `redis://:${password}@${center}`
      const lead = park.machine(corpus, home.through)
      git(lead.dir, 'init', '--quiet', '--initial-branch=main')
      const wanted = commit(lead.dir)
      const far = park.machine({}, away.through)
      git(far.dir, 'clone', '--quiet', lead.dir, '.')
      writeFileSync(join(far.dir, 'later.md'), '# Later\n\nThe store no longer locks files.\n')
      commit(far.dir)
      const worker = far.start(['worker', '--label', 'far', '--slots', '2'], { ANODE_ENGINE: urlOf(away) })
      await worker.says('worker far serves corpus')
      const words = ['study', question, '--local', '0', '--workers', '2', '--json', '--quiet']
      const env = { ANODE_ENGINE: urlOf(home) }
      const study = () => lead.run([...words, '--engine', urlOf(home)], env)

      const done = await study()
      expect([0, 3], done.err).toContain(done.code)
      const near = await lead.run(['study', question, '--workers', '2', '--json', '--quiet'])
      const claims = (out: string) => JSON.parse(out).claims.map(({ text }: { text: string }) => text)
      expect(claims(done.out)).toEqual(claims(near.out))
      expect(worker.out()).toContain(`commit ${wanted.slice(0, 12)}`)
      const listed = await lead.run(['worker', 'list', '--engine', urlOf(home), '--json'], env)
      expect(JSON.parse(listed.out)).toMatchObject([{ label: 'far', host: 'far' }])

      away.link('down')
      const second = park.machine({}, other.through)
      git(second.dir, 'clone', '--quiet', lead.dir, '.')
      const spare = second.start(['worker', '--label', 'near', '--slots', '2'], {
        ANODE_ENGINE: urlOf(other),
      })
      await spare.says('worker near serves corpus')
      const again = await study()
      expect([0, 3], again.err).toContain(again.code)
      expect(claims(again.out)).toEqual(claims(near.out))
      expect(spare.out()).toMatch(/ t1 {2}started/)
    })
  })
})
