// What other agents may read of a workspace: its threads, its studies, its experiments, and nothing else.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeBuildEntry } from '../../../../internal/build/entries.ts'
import { openMcpSurface } from '../../../../internal/service/mcp-server/mcp-surface.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { openStore } from '../../../../internal/store/sqlite.ts'
import { connectClient, mcpWorkspace } from '../../../support/mcp-client.ts'
import { env, lab, plain } from '../../../support/research.ts'
import { scratch } from '../../../support/scratch.ts'
import { finished } from '../../../support/study.ts'

const studyId = '01JD3K8QAAAAAAAAAAAAAAAAAA'

/** Stores a thread with one message for each workspace. */
async function storeThreads(dataDir: string, workspaces: readonly string[]): Promise<string[]> {
  const store = await openStore(dataDir)
  const ids = workspaces.map((workspace) => {
    const { id } = store.threads.create({ workspace, title: 'Old words', profile: 'quick', model: 'a/b' })
    const message = { type: 'message', payload: { role: 'user', text: 'what was said' } } as const
    store.threads.append(id, 'run_1', [message])
    return id
  })
  store.close()
  return ids
}

it('shows the threads of this workspace, and only while read_thread may be called', async () => {
  const { dir, options } = mcpWorkspace()
  const data = options.env.ANODE_DATA_DIR as string
  const [own = '', foreign = ''] = await storeThreads(data, [dir, scratch()])
  const surface = await openMcpSurface(options)
  const { client } = await connectClient(surface)
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual([`anode://threads/${own}`])
  const { contents } = await client.readResource({ uri: `anode://threads/${own}` })
  expect(contents[0]).toMatchObject({ text: expect.stringContaining('what was said') })
  for (const uri of [
    `anode://threads/${foreign}`,
    'anode://threads/nothing',
    'anode://studies/..%2F..',
    'anode://experiments',
    `file://${join(dir, 'a.txt')}`,
  ])
    await expect(client.readResource({ uri })).rejects.toThrow('nothing has the address')
  await surface.close()
})

it('shows no threads to a profile that may not read them', async () => {
  const { dir, options } = mcpWorkspace()
  const [own = ''] = await storeThreads(options.env.ANODE_DATA_DIR as string, [dir])
  const surface = await openMcpSurface({ ...options, profile: 'quick' })
  expect(await surface.resources()).toEqual([])
  expect(await surface.read(`anode://threads/${own}`)).toBeUndefined()
  await surface.close()
})

it('shows the report of a study, and experiments where there are some', async () => {
  const at = lab()
  const research = await at.open()
  await research.init(plain)
  const journal = await openJournal(at.data)
  const [first, ...rest] = finished({ id: studyId, project: at.dir, root: at.dir })
  if (!first) throw new Error('no head')
  await journal.create(studyId, first, {})
  await journal.append(studyId, rest)
  await journal.close()
  const surface = await openMcpSurface({
    ...mcpWorkspace().options,
    cwd: at.dir,
    env: { ...env, ANODE_DATA_DIR: at.data },
  })
  const uris = (await surface.resources()).map(({ uri }) => uri)
  expect(uris).toEqual([`anode://studies/${studyId}`, 'anode://experiments'])
  const report = await surface.read(`anode://studies/${studyId}`)
  expect(report?.text).toContain('#')
  const ledger = await surface.read('anode://experiments')
  expect(JSON.parse(ledger?.text ?? '')).toMatchObject({ name: expect.any(String) })
  await surface.close()
})

it('shows the other resources if the ledger of experiments is damaged', async () => {
  const at = lab()
  const research = await at.open()
  await research.init(plain)
  const ledger = readdirSync(at.data, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('ledger.jsonl'),
  )
  writeFileSync(join(at.data, ledger ?? 'missing'), '{"type":"config"}\nnot JSON\n{"type":"run"}\n')
  const surface = await openMcpSurface({
    ...mcpWorkspace().options,
    cwd: at.dir,
    env: { ...env, ANODE_DATA_DIR: at.data },
  })
  expect(await surface.resources()).toEqual([])
  await surface.close()
})

it('shows the current state of the builds of this workspace', async () => {
  const { dir, options } = mcpWorkspace()
  const data = options.env.ANODE_DATA_DIR as string
  const journal = await openJournal(data)
  const ids = ['01JD3K8QBBBBBBBBBBBBBBBBBB', '01JD3K8QCCCCCCCCCCCCCCCCCC']
  const [own = '', foreign = ''] = ids
  const store = async (id: string, project: string) => {
    const head = {
      ...{ id, project, top: project, goal: 'Rename', base: 'c0', ref: 'refs/heads/x', from: 'main' },
      ...{ workers: 1, attempts: 1, carry: [], isProven: true, created: 1 },
      sandbox: 'require' as const,
    }
    await journal.create(id, makeBuildEntry('build', head), {})
  }
  await store(own, dir)
  await store(foreign, scratch())
  const surface = await openMcpSurface(options)
  const { client } = await connectClient(surface)
  const uri = `anode://builds/${own}`
  const { resources } = await client.listResources()
  expect(resources).toEqual([expect.objectContaining({ uri, name: 'Rename', description: 'Build: stopped' })])
  const read = async () => {
    const [content] = (await client.readResource({ uri })).contents
    return JSON.parse((content as { text: string }).text)
  }
  expect(await read()).toMatchObject({ id: own, status: 'stopped', end: null, tasks: [] })
  await journal.append(own, [makeBuildEntry('build.ended', { end: 'partial', detail: 'why' })])
  expect(await read()).toMatchObject({ status: 'ended', end: 'partial', detail: 'why' })
  for (const other of [foreign, own.slice(0, 12), 'last', '..%2F..'])
    await expect(client.readResource({ uri: `anode://builds/${other}` })).rejects.toThrow(
      'nothing has the address',
    )
  await journal.close()
  await surface.close()
})
