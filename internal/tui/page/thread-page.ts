// The page with the threads of a workspace, where the user picks one to resume or fork.
import type { SessionService, ThreadSummary } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { closeView } from '../../session/view/fold-run.ts'
import { emptyView } from '../../session/view/session-view.ts'
import { editLine } from '../dialog/line-edit.ts'
import type { KeyPress } from '../input/key-press.ts'
import type { LivePage } from './live-page.ts'
import { drawThreadPage, type ThreadPageState, type ThreadPreview } from './thread-rows.ts'

interface ThreadPageOptions {
  service: Pick<SessionService, 'listThreads' | 'readThreadEnd' | 'readThreadCost' | 'changeThread'>
  /** Search text at the start, as the user would type it. */
  query?: string
  changed(): void
  /** Called with the picked thread. `isCopy` means that the user wants a fork of the thread. */
  pick(thread: string, isCopy: boolean): void
}

const maxThreads = 1_000
const maxFound = 50
/** Largest number of events at the end of a thread that its preview shows. */
const previewEvents = 60
/**
 * Pause after a key, in milliseconds, before a full-text search starts or the preview of a newly selected
 * thread is loaded.
 */
const pauseMs = 120
const armedMs = 2_000

export function createThreadPage(options: ThreadPageOptions): LivePage {
  const page = openThreads(options)
  page.find()
  return {
    draw: (look, rows, now) =>
      drawThreadPage({ ...page.state, isArmed: page.armedUntil > now }, look, rows, now),
    press: (press) => pressThreadKey(page, press, options),
    close: page.close,
  }
}

type OpenThreads = ReturnType<typeof openThreads>

function emptyPage(query: string): ThreadPageState {
  return {
    threads: undefined,
    at: 0,
    query,
    rename: undefined,
    isArmed: false,
    note: '',
    preview: undefined,
  }
}

function openThreads({ service, query = '', changed }: ThreadPageOptions) {
  const state = emptyPage(query)
  let all: readonly ThreadSummary[] | undefined
  let finding: NodeJS.Timeout | undefined
  const meant = () => state.threads?.[state.at]?.thread
  const preview = openPreview(service, (thread, threadPreview) => {
    if (meant() === thread) state.preview = threadPreview
    changed()
  })
  const look = () => {
    state.preview = preview.look(meant())
  }
  const find = async () => {
    const queryText = state.query
    const text = queryText.slice(1).trim()
    const isSearch = queryText.startsWith('/') && text !== ''
    if (!isSearch) all ??= await service.listThreads({ limit: maxThreads })
    const threads = isSearch
      ? await service.listThreads({ text, limit: maxFound })
      : filterThreads(all ?? [], queryText.startsWith('/') ? '' : queryText)
    if (state.query !== queryText) return
    state.threads = threads
    state.at = Math.max(0, Math.min(state.at, threads.length - 1))
    look()
    changed()
  }
  const fail = (error: unknown) => {
    state.note = error instanceof Error ? error.message : String(error)
    changed()
  }
  return {
    state,
    meant,
    look,
    armedUntil: 0,
    /**
     * Updates the list of threads. A filter applies immediately, a full-text search after a pause in typing.
     */
    find() {
      clearTimeout(finding)
      if (state.query.startsWith('/')) finding = setTimeout(() => void find().catch(fail), pauseMs)
      else void find().catch(fail)
    },
    async change(change: { title?: string; archived?: boolean }) {
      const thread = meant()
      if (thread === undefined) return
      const reply = await service.changeThread?.({ thread, ...change }).catch(fail)
      // Renaming fails, for example, if another process has deleted the thread.
      if (reply?.ok === false) fail(new Error(reply.message))
      all = undefined
      await find().catch(fail)
    },
    close() {
      preview.close()
      clearTimeout(finding)
    },
  }
}

/** Loads the preview of a thread after it was selected for `pauseMs` milliseconds, and caches it. */
function openPreview(
  service: ThreadPageOptions['service'],
  show: (thread: string, preview: ThreadPreview) => void,
) {
  const previews = new Map<string, ThreadPreview>()
  let looking: NodeJS.Timeout | undefined
  const read = async (thread: string) => {
    const [events, usd] = await Promise.all([
      service.readThreadEnd?.(thread, previewEvents).catch(() => []),
      service.readThreadCost?.(thread).catch(() => undefined),
    ])
    const { blocks } = closeView((events ?? []).reduce(foldSessionEvent, emptyView(thread)))
    previews.set(thread, { blocks, usd })
    show(thread, { blocks, usd })
  }
  return {
    /** Returns the preview of a thread. If it is not loaded yet, returns undefined and shows it later. */
    look(thread: string | undefined): ThreadPreview | undefined {
      clearTimeout(looking)
      if (thread === undefined) return undefined
      if (!previews.has(thread)) looking = setTimeout(() => void read(thread), pauseMs)
      return previews.get(thread)
    },
    close: () => clearTimeout(looking),
  }
}

/**
 * Returns the threads whose title, profile, branch and id together contain every word of the query. Upper and
 * lower case are equal.
 */
function filterThreads(threads: readonly ThreadSummary[], query: string): readonly ThreadSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return threads.filter(({ title, profile, thread, branch = '' }) => {
    const text = `${title} ${profile} ${branch} ${thread}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Handles a key on the thread page. Returns false if the page must close. */
function pressThreadKey(page: OpenThreads, press: KeyPress, { pick }: ThreadPageOptions): boolean {
  const { state } = page
  state.note = ''
  if (state.rename !== undefined) {
    writeTitle(page, press)
    return true
  }
  const isArmed = page.armedUntil > Date.now()
  page.armedUntil = 0
  const thread = page.meant()
  const { key } = press
  if (key === 'escape' || key === 'ctrl-c') return false
  if (key === 'enter' || key === 'ctrl-f') {
    if (thread === undefined || press.burst) return true
    pick(thread, key === 'ctrl-f')
    return false
  }
  const count = state.threads?.length ?? 0
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    down: 1,
    pageup: -10,
    pagedown: 10,
    home: -count,
    end: count,
    'ctrl-p': -1,
    'ctrl-n': 1,
  }
  const step = steps[key]
  if (step !== undefined) {
    state.at = Math.max(0, Math.min(state.at + step, count - 1))
    page.look()
  } else if (key === 'ctrl-r') state.rename = state.threads?.[state.at]?.title
  else if (key === 'ctrl-x' && thread !== undefined) {
    if (isArmed) void page.change({ archived: true })
    else page.armedUntil = Date.now() + armedMs
  } else writeQuery(page, press)
  return true
}

function writeQuery(page: OpenThreads, press: KeyPress): void {
  const query = editLine(page.state.query, press)
  if (query === page.state.query) return
  page.state.query = query
  page.state.at = 0
  page.find()
}

function writeTitle(page: OpenThreads, press: KeyPress): void {
  const { state } = page
  const title = state.rename?.trim() ?? ''
  if (press.key === 'escape' || press.key === 'ctrl-c') state.rename = undefined
  else if (press.key === 'enter' && !press.burst) {
    state.rename = undefined
    if (title !== '') void page.change({ title })
    else state.note = 'the new title is empty; the old one stays'
  } else state.rename = editLine(state.rename ?? '', press)
}
