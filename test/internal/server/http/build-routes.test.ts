// The stream of a build: each entry once and in order, from a position, across connections, to the last entry.
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { BuildRecord } from '../../../../internal/session/board/build-board.ts'
import { planText, putModules, renameTask } from '../../../support/build.ts'
import { type ServerAccess, servedData, startServer } from '../../../support/http-server.ts'
import { plant } from '../../../support/scratch.ts'

/** Reads records after a position until `isEnough`, then closes the connection. */
function readRecords(
  { port, token }: ServerAccess,
  path: string,
  headers: Readonly<Record<string, string>>,
  isEnough: (records: readonly BuildRecord[]) => boolean,
): Promise<BuildRecord[]> {
  const records: BuildRecord[] = []
  return new Promise((resolve, reject) => {
    const sent = { authorization: `Bearer ${token}`, ...headers }
    const going = request({ host: '127.0.0.1', port, path, headers: sent, agent: false }, (reply) => {
      let rest = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk) => {
        const parts = (rest + chunk).split('\n\n')
        rest = parts.pop() ?? ''
        for (const part of parts) {
          const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(part) ?? []
          if (data === undefined) continue
          const record = JSON.parse(data) as BuildRecord
          expect(record.seq).toBe(Number(id))
          records.push(record)
        }
        if (!isEnough(records)) return
        going.destroy()
        resolve(records)
      })
    })
    going.on('error', reject)
    going.end()
  })
}

const hasKind = (kind: string) => (records: readonly BuildRecord[]) =>
  records.some((record) => record.kind === kind)

it('streams each entry of a build once and in order, also after a lost connection', async () => {
  const at = servedData([])
  putModules({ dir: at.cwd, put: (path, text) => plant(at.cwd, { [path]: text }) }, ['a', 'b'])
  const tasks = [renameTask('a'), renameTask('b', { after: ['a'] })]
  writeFileSync(join(at.cwd, 'plan.json'), planText(tasks))
  const server = await startServer(at)
  const { json, status } = await server.ask('/v1/builds', { body: { workspace: at.cwd, plan: 'plan.json' } })
  expect(status).toBe(201)
  const id = String(json['id'])
  onTestFinished(async () => {
    const { pid } = (await server.ask(`/v1/builds/${id}`)).json as { pid: number | null }
    if (pid !== null) process.kill(pid, 'SIGKILL')
  })
  const path = `/v1/builds/${id}/events`
  const last = (records: readonly BuildRecord[]) => records.at(-1)?.seq ?? 0
  // the connection is lost while the build runs
  const first = await readRecords(server, path, {}, hasKind('task.started'))
  const second = await readRecords(server, path, { 'last-event-id': `${last(first)}` }, hasKind('merged'))
  const after = last(second)
  const third = await readRecords(server, `${path}?after=${after}`, {}, hasKind('build.ended'))
  const all = [...first, ...second, ...third]
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1))
  expect(all.slice(0, 3).map(({ kind }) => kind)).toEqual(['build', 'plan', 'leader'])
  expect(all.at(-1)).toMatchObject({ kind: 'build.ended', text: 'build done' })
  const merged = all.filter(({ kind }) => kind === 'merged')
  expect(merged.map(({ task, text }) => [task, text])).toEqual([
    ['a', expect.stringMatching(/^a {2}merged {2}[0-9a-f]{10}$/)],
    ['b', expect.stringMatching(/^b {2}merged {2}[0-9a-f]{10}$/)],
  ])
  // the header counts more than the parameter, and a client that has everything gets nothing again
  const end = last(all)
  const again = { 'last-event-id': `${end - 1}` }
  expect(await readRecords(server, `${path}?after=0`, again, (records) => records.length > 0)).toEqual(
    all.slice(-1),
  )
  for (const position of ['-1', 'x', '1.5'])
    expect((await server.ask(path, { headers: { 'last-event-id': position } })).status, position).toBe(400)
}, 180_000)
