// MCP resources for other agents: threads, studies, builds and experiments of the workspace.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { FailureError, UserError } from '../../base/errors.ts'
import type { McpSurface, OfferedResource } from '../../mcp-server/surface.ts'
import { buildOverview } from '../../research/report/overview.ts'
import type { Store } from '../../store/store.ts'
import { openBuildBoards } from '../build/build-boards.ts'
import { listBuilds } from '../build/known-builds.ts'
import { withExperiments } from '../research/experiment-runtime.ts'
import { readStudyMarkdown } from '../study/known-studies.ts'
import { summarizeStudies } from '../study/study-listing.ts'
import { formatEvent, readThreadEvents } from '../threads/thread-markdown.ts'
import { listVerified, readVerified } from './verify-resources.ts'

interface ResourceSources {
  workspace: string
  data: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  store: () => Promise<Store>
  /**
   * Returns true if the server offers the tool. Clients can read threads as resources only if
   * it offers `read_thread`.
   */
  offers(tool: string): boolean
}

const maxListed = 50
const experiments = 'anode://experiments'
const markdown = 'text/markdown'
const json = 'application/json'

export function workspaceResources(sources: ResourceSources): Pick<McpSurface, 'resources' | 'read'> {
  const { offers } = sources
  return {
    resources: async () => [
      ...(offers('read_thread') ? await listThreads(sources) : []),
      ...(await listStudies(sources)),
      ...(await listBuildStates(sources)),
      ...((await readExperiments(sources)) ? [experimentResource] : []),
      ...(await listVerified(sources)),
    ],
    async read(uri) {
      if (uri === experiments) return readExperiments(sources)
      const verified = await readVerified(sources, uri)
      if (verified) return verified
      const [, kind, id = ''] = /^anode:\/\/(threads|studies|builds)\/([\w-]+)$/.exec(uri) ?? []
      if (kind === 'threads' && offers('read_thread')) return readThread(sources, id)
      if (kind === 'builds') return readBuildState(sources, id)
      return kind === 'studies' ? readStudy(sources, id) : undefined
    },
  }
}

async function listThreads({ store, workspace, data }: ResourceSources): Promise<OfferedResource[]> {
  if (!existsSync(join(data, 'anode.db'))) return []
  const threads = (await store()).threads.list({ workspace, limit: maxListed })
  return threads
    .filter(({ model }) => model !== null)
    .map(({ id, title, profile }) => ({
      uri: `anode://threads/${id}`,
      name: title || id,
      description: `Conversation with the profile ${profile}`,
      mimeType: markdown,
    }))
}

/** Returns a thread as Markdown; undefined for an unknown thread and for a thread of another workspace. */
async function readThread({ store, workspace, data }: ResourceSources, id: string) {
  if (!existsSync(join(data, 'anode.db'))) return undefined
  const opened = await store()
  if (opened.threads.get(id)?.workspace !== workspace) return undefined
  const text = [...readThreadEvents(opened, id)].map(formatEvent).join('')
  return { mimeType: markdown, text }
}

async function listStudies({ workspace, env }: ResourceSources): Promise<OfferedResource[]> {
  const studies = await summarizeStudies({ cwd: workspace, env, everywhere: false, limit: maxListed })
  return studies.map(({ id, question, outcome }) => ({
    uri: `anode://studies/${id}`,
    name: question,
    description: `Report of a study: ${outcome}`,
    mimeType: markdown,
  }))
}

async function readStudy({ workspace, env }: ResourceSources, id: string) {
  const studies = await summarizeStudies({ cwd: workspace, env, everywhere: false })
  if (!studies.some((study) => study.id === id)) return undefined
  return { mimeType: markdown, text: await readStudyMarkdown(id, { cwd: workspace, env }) }
}

async function listBuildStates({ workspace, env }: ResourceSources): Promise<OfferedResource[]> {
  const builds = await listBuilds({ cwd: workspace, env }, { everywhere: false, limit: maxListed })
  return builds.map(({ id, goal, end, status }) => ({
    uri: `anode://builds/${id}`,
    name: goal,
    description: `Build: ${end ?? status}`,
    mimeType: json,
  }))
}

/**
 * Returns the state of a build of this workspace, as `build status --json` prints it; undefined for
 * any other build.
 */
async function readBuildState({ workspace, data, env }: ResourceSources, id: string) {
  const build = await openBuildBoards(data, env).board(id)
  if (build?.workspace !== realpathSync(workspace)) return undefined
  return { mimeType: json, text: JSON.stringify(build, null, 2) }
}

const experimentResource: OfferedResource = {
  uri: experiments,
  name: 'Experiments',
  description: 'Ledger of the active experiment session: settings, every run, verdicts, the best one',
  mimeType: json,
}

/**
 * Returns an overview of the active experiment session as JSON. Undefined without a session, or if the
 * session cannot be read, for example without a repository.
 */
async function readExperiments({ workspace: cwd, env, signal }: ResourceSources) {
  try {
    const note = () => undefined
    const state = await withExperiments({ cwd, env, signal, note }, ({ research }) => research.state())
    const view = buildOverview(state)
    return view && { mimeType: json, text: JSON.stringify(view, null, 2) }
  } catch (error) {
    // without a repository, or with a ledger that a user must repair, there is nothing to show
    if (error instanceof FailureError || error instanceof UserError) return undefined
    throw error
  }
}
