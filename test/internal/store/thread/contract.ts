// The part of the contract about threads: events, pages, search, calls, removal.
import { describe, expect, test } from 'vitest'
import type { ThreadEntry } from '../../../../internal/store/store.ts'
import type { Place } from '../contract.ts'
import { failureOf } from '../task/contract.ts'

/** A message event. */
export const says = (text: string, role: 'user' | 'assistant' = 'user'): ThreadEntry => ({
  type: 'message',
  payload: { role, text },
})

const jobEnded = (whole: string): ThreadEntry => {
  const how = { exit: 0, signal: null, stopped: false, timed_out: false, ms: 1 }
  return { type: 'job.ended', payload: { job: 'job_1', call: 'c', command: 'ls', ...how, whole } }
}

export function threadContract(place: Place): void {
  const make = (title: string, workspace = '/w') =>
    place.store.threads.create({ workspace, title, profile: 'craft' })

  describe('threads', () => {
    test('a thread is made with an id and found by it or by its beginning', async () => {
      const { threads } = place.store
      const thread = threads.create({
        workspace: '/w',
        title: 'T',
        profile: 'p',
        model: 'm',
        parent: 'sess_X',
      })
      expect(thread).toEqual({
        id: expect.stringMatching(/^sess_[0-9A-Z]{26}$/),
        workspace: '/w',
        title: 'T',
        profile: 'p',
        model: 'm',
        parent: 'sess_X',
        created: place.clock.now,
        updated: place.clock.now,
        archived: false,
        events: 0,
      })
      const other = make('other')
      expect((await place.again()).threads.get(thread.id)).toEqual(thread)
      const found = (prefix: string) => threads.find(prefix).map((t) => t.id)
      expect(found(thread.id)).toEqual([thread.id])
      expect(found(thread.id.slice(5).toLowerCase())).toEqual([thread.id])
      expect(found(thread.id.slice(0, 8))).toEqual([other.id, thread.id])
      for (const none of ['sess_ZZZ', '%', "' OR 1"]) expect(found(none)).toEqual([])
      expect(threads.get('sess_none')).toBeUndefined()
    })

    test('an id can be given once', () => {
      const init = { workspace: '/w', title: 't', profile: 'p', id: 'sess_MINE' }
      expect(place.store.threads.create(init).id).toBe('sess_MINE')
      expect(failureOf(() => place.store.threads.create(init)).code).toBe('bad_args')
    })

    test('lists are newest first, by workspace, without the archived', () => {
      const { threads } = place.store
      const [a, b, c] = ['a', 'b', 'c'].map((title) => make(title))
      const elsewhere = make('d', '/elsewhere')
      place.clock.now += 1000
      threads.append(a?.id as string, 'run', [says('again')])
      threads.archive(b?.id as string, true)
      threads.rename(c?.id as string, 'renamed')
      const titles = (query: Parameters<typeof threads.list>[0]) => threads.list(query).map((t) => t.title)
      expect(titles({ workspace: '/w' })).toEqual(['a', 'renamed'])
      expect(titles({ workspace: '/w', archived: true })).toEqual(['b'])
      expect(titles({})).toEqual(['a', 'd', 'renamed'])
      expect(titles({ limit: 1 })).toEqual(['a'])
      threads.archive(b?.id as string, false)
      expect(titles({ workspace: '/w' })).toContain('b')
      expect(failureOf(() => threads.rename('sess_none', 'x')).code).toBe('not_found')
      threads.delete(elsewhere.id)
      expect(titles({ workspace: '/elsewhere' })).toEqual([])
    })

    test('trimming archives the oldest with their children and no other workspace', () => {
      const { threads } = place.store
      const old = make('old')
      place.store.threads.create({ workspace: '/w', title: 'child', profile: 'p', parent: old.id })
      place.clock.now += 1000
      make('new')
      make('other', '/elsewhere')
      expect(threads.trim('/w', 1)).toBe(2)
      expect(threads.trim('/w', 1)).toBe(0)
      expect(threads.list({}).map((thread) => thread.title)).toEqual(['other', 'new'])
    })
  })

  describe('events', () => {
    test('events keep order, numbers and content', async () => {
      const { threads } = place.store
      const { id } = make('t')
      const odd = {
        role: 'user' as const,
        text: 'nul \0 lone \ud800 emoji 😀 "q"',
        extra: { deep: [1, null] },
      }
      const first = threads.append(id, 'run-a', [
        { type: 'message', payload: odd, status: 'done' },
        says('two'),
      ])
      const second = threads.append(id, 'run-b', [says('three')])
      const third = threads.append(id, 'run-a', [says('four')])
      expect([...first, ...second, ...third].map((e) => [e.pos, e.run_id, e.seq])).toEqual([
        [1, 'run-a', 1],
        [2, 'run-a', 2],
        [3, 'run-b', 1],
        [4, 'run-a', 3],
      ])
      const stored = (await place.again()).threads.events(id)
      expect(stored).toEqual([...first, ...second, ...third])
      expect(stored[0]).toMatchObject({ type: 'message', status: 'done', payload: odd, ts: place.clock.now })
      expect(stored[1]).not.toHaveProperty('status')
      expect(threads.get(id)).toMatchObject({ events: 4, updated: place.clock.now })
    })

    test('numbers that a recorder has given are kept', () => {
      const { threads } = place.store
      const { id } = make('t')
      const [given] = threads.append(id, 'r', [{ ...says('x'), id: 'E1', seq: 7, ts: 5 }])
      expect(given).toMatchObject({ id: 'E1', seq: 7, ts: 5, pos: 1 })
      expect(threads.append(id, 'r', [says('y')])[0]).toMatchObject({ seq: 8, pos: 2 })
    })

    test('pages go forward, tails are the end in order, both can be held to types', () => {
      const { threads } = place.store
      const { id } = make('t')
      const entries: ThreadEntry[] = Array.from({ length: 10 }, (_, i) =>
        i % 2 ? { type: 'usage', payload: { input: i, output: 0 } } : says(`m${i}`),
      )
      threads.append(id, 'r', entries)
      const at = (list: { pos: number }[]) => list.map((event) => event.pos)
      expect(at(threads.events(id, 0, 3))).toEqual([1, 2, 3])
      expect(at(threads.events(id, 3, 3))).toEqual([4, 5, 6])
      expect(at(threads.events(id, 10))).toEqual([])
      expect(at(threads.events(id, 2, 2, ['message']))).toEqual([3, 5])
      expect(at(threads.tail(id, 3))).toEqual([8, 9, 10])
      expect(at(threads.tail(id, 2, ['message']))).toEqual([7, 9])
      expect(threads.events('sess_none')).toEqual([])
    })

    test('an append to a thread that is not there is refused, an empty one does nothing', () => {
      const { threads } = place.store
      expect(failureOf(() => threads.append('sess_none', 'r', [says('x')])).code).toBe('not_found')
      expect(threads.append('sess_none', 'r', [])).toEqual([])
    })

    test('a call is found by its id: the result before the call, the asking thread before others', () => {
      const { threads } = place.store
      const [a, b] = [make('a').id, make('b').id]
      const asked: ThreadEntry = { type: 'tool.call', payload: { call: 'c1', tool: 'bash', args: {} } }
      const answered = (text: string): ThreadEntry => ({
        type: 'tool.result',
        payload: { call: 'c1', tool: 'bash', ok: true, text },
      })
      threads.append(a, 'r', [asked])
      expect(threads.call('c1')?.event.type).toBe('tool.call')
      threads.append(a, 'r', [answered('from a')])
      threads.append(b, 'r', [asked, answered('from b'), says('c1')])
      expect(threads.call('c1')).toMatchObject({ thread: b, event: { payload: { text: 'from b' } } })
      expect(threads.call('c1', a)).toMatchObject({ thread: a, event: { payload: { text: 'from a' } } })
      expect(threads.call('c2')).toBeUndefined()
    })

    test('a thread names the texts that it shows cut, and nothing else', () => {
      const { threads, blobs } = place.store
      const [one, other] = [make('one').id, make('other').id]
      const [result, output, before] = ['result', 'output', 'before'].map((text) =>
        blobs.put(Buffer.from(text)),
      )
      const call = { call: 'c', tool: 'bash' }
      threads.append(one, 'r', [
        { type: 'tool.result', payload: { ...call, ok: true, text: 'cut', whole: result as string } },
        jobEnded(output as string),
        {
          type: 'file.written',
          payload: { ...call, path: '/w/a', before: null, after: null, whole: before as string },
        },
      ])
      const named = (id: string) =>
        [result, output, before].map((hash) => threads.namesText(id, hash as string))
      expect(named(one)).toEqual([true, true, false])
      for (const id of [other, 'sess_none', '']) expect(named(id)).toEqual([false, false, false])
      for (const hash of ['', '%', "' OR 1", '0'.repeat(64)]) expect(threads.namesText(one, hash)).toBe(false)
    })

    test('a deleted thread leaves nothing behind', () => {
      const { threads, todos, blobs } = place.store
      const { id } = make('t')
      const keeper = make('keeper').id
      const whole = blobs.put(Buffer.from('x'.repeat(100)))
      const shared = blobs.put(Buffer.from('y'.repeat(100)))
      const result = (hash: string): ThreadEntry => ({
        type: 'tool.result',
        payload: { call: 'c', tool: 'bash', ok: true, text: 'cut', whole: hash },
      })
      const output = blobs.put(Buffer.from('z'.repeat(100)))
      threads.append(id, 'r', [
        result(whole),
        result(shared),
        jobEnded(output),
        ...Array(450).fill(says('needle')),
      ])
      threads.append(keeper, 'r', [result(shared)])
      todos.replace(id, [{ id: '1', content: 'x', status: 'pending' }])
      place.clock.now = Date.now() + 7_200_000
      threads.delete(id)
      expect(threads.get(id)).toBeUndefined()
      expect(threads.events(id)).toEqual([])
      expect(threads.search('needle', { limit: 5 })).toEqual([])
      expect(todos.read(id)).toEqual([])
      for (const gone of [whole, output]) expect(blobs.get(gone)).toBeUndefined()
      expect(String(blobs.get(shared))).toBe('y'.repeat(100))
      expect(failureOf(() => threads.delete(id)).code).toBe('not_found')
    })
  })

  describe('search', () => {
    test('the best match comes first, each thread once, with the place and a snippet', () => {
      const { threads } = place.store
      const [weak, strong, none] = ['weak', 'strong', 'none'].map((title) => make(title).id)
      threads.append(weak as string, 'r', [says(`${'filler words here. '.repeat(80)}database layer`)])
      threads.append(strong as string, 'r', [
        says('hello'),
        says('We refactored the database layer'),
        says('database layer again'),
      ])
      threads.append(none as string, 'r', [says('cooking recipes')])
      const hits = threads.search('database layer', { limit: 10 })
      expect(hits.map((hit) => hit.thread.id)).toEqual([strong, weak])
      expect(hits[0]?.pos).toBeGreaterThan(1)
      expect(hits[1]?.snippet).toMatch(/^….*database layer$/)
      expect(hits[0]?.score).toBeGreaterThan(hits[1]?.score as number)
      expect(threads.search('database layer', { limit: 1 })).toHaveLength(1)
    })

    test.each<[string, string]>([
      ['refactor', 'We REFACTORED the parser'],
      ['"parser again"', 'the parser again'],
      ['cafe', 'at the café'],
      ['read_range', 'use read_range here'],
      ['internal/app/app.go', 'open internal/app/app.go:17'],
      ['北京', '我住在北京市'],
      ['what is the deadline', 'deadline: friday'],
      ["can't", "we can't stop"],
    ])('%s finds %s', (query, text) => {
      const { id } = make('t')
      place.store.threads.append(id, 'r', [says('something else entirely'), says(text)])
      expect(place.store.threads.search(query, { limit: 5 })).toMatchObject([{ pos: 2, thread: { id } }])
    })

    test('arguments and results count, what other threads said does not', () => {
      const { id } = make('t')
      const result = (tool: string, text: string): ThreadEntry => ({
        type: 'tool.result',
        payload: { call: 'c', tool, ok: true, text },
      })
      place.store.threads.append(id, 'r', [
        {
          type: 'tool.call',
          payload: { call: 'c', tool: 'bash', args: { command: ['xylophone', { n: 1 }] } },
        },
        result('bash', 'marimba'),
        { type: 'tool.call', payload: { call: 'd', tool: 'find_thread', args: { query: 'glockenspiel' } } },
        result('find_thread', 'glockenspiel'),
      ])
      const found = (query: string) => place.store.threads.search(query, { limit: 5 }).length
      expect(['xylophone', 'marimba', 'glockenspiel'].map(found)).toEqual([1, 1, 0])
    })

    test('some terms do when no event has all, and come after those that have', () => {
      const [all, some] = [make('all').id, make('some').id]
      place.store.threads.append(some, 'r', [says('walrus walrus walrus')])
      place.store.threads.append(all, 'r', [
        says('a walrus and a penguin in one long text about many other things'),
      ])
      const hits = place.store.threads.search('walrus penguin', { limit: 5 })
      expect(hits.map((hit) => hit.thread.id)).toEqual([all, some])
      expect(hits.map((hit) => hit.score >= 0.5)).toEqual([true, false])
    })

    test('workspace, thread and exception hold', () => {
      const { threads } = place.store
      const [a, b] = [make('a', '/a').id, make('b', '/b').id]
      threads.append(a, 'r', [says('zebra'), says('zebra zebra'), says('horse')])
      threads.append(b, 'r', [says('zebra')])
      const ids = (options: { workspace?: string; thread?: string; except?: string }) =>
        threads
          .search('zebra', { limit: 9, ...options })
          .map((hit) => `${hit.thread.id === a ? 'a' : 'b'}${hit.pos}`)
      expect(ids({ workspace: '/b' })).toEqual(['b1'])
      expect(ids({ workspace: '/nowhere' })).toEqual([])
      expect(ids({ except: b })).toHaveLength(1)
      expect(ids({ thread: a }).sort()).toEqual(['a1', 'a2'])
      expect(ids({ thread: 'sess_none' })).toEqual([])
      expect(ids({ except: 'sess_none' })).toHaveLength(2)
    })

    test('no text is a syntax error', () => {
      const { id } = make('t')
      place.store.threads.append(id, 'r', [says('plain text AND more')])
      const hostile = [
        '"',
        '""',
        '"unclosed',
        "'",
        '*',
        'a*',
        '^a',
        'text:plain',
        'scope:w1',
        'NEAR(a b)',
        'AND',
        'OR NOT',
        '(',
        ')',
        '{a b}: c',
        '-plain',
        '+',
        'a AND',
        '\\',
        '%',
        ';DROP TABLE thread;--',
        '\0',
        '\ud800',
        '🙂',
        'a'.repeat(20_000),
        'x '.repeat(5_000),
        '   ',
        '',
        'plain"text',
        '"a" "b',
        'col : "x"',
        '\u200b',
      ]
      for (const query of hostile) {
        const hits = place.store.threads.search(query, { limit: 5 })
        expect(Array.isArray(hits), query.slice(0, 30)).toBe(true)
      }
      expect(place.store.threads.search('AND', { limit: 5 })).toHaveLength(1)
      expect(place.store.threads.search('plain"text', { limit: 5 })).toHaveLength(1)
    })
  })
}
