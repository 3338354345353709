// Undo and redo over generated histories of runs, compared with snapshots of the files.
import { expect, it, test } from 'vitest'
import type { Event } from '../../../internal/event/event.ts'
import { readUndoHistory } from '../../../internal/undo/undo-history.ts'
import { planUndo } from '../../../internal/undo/undo-plan.ts'
import { choice, rng } from '../../support/rng.ts'

type Files = Readonly<Record<string, string>>

/** A thread over simulated files: `write` is a tool call of a run, `undo` and `redo` are the user's. */
class SimulatedThread {
  readonly events: (Event & { pos: number })[] = []
  files: Files = {}
  #run = 0

  say(text: string): void {
    this.#run++
    this.#add('message', { role: 'user', text })
  }

  write(
    path: string,
    content: string,
    { tool = 'edit_file', call = `call_${this.events.length}` } = {},
  ): void {
    this.#add('tool.call', { call, tool, args: {} })
    this.#record(path, content, { tool, call })
  }

  /** Returns the message of the run that it reverted; undefined if nothing was left. */
  revert(tool: 'undo' | 'redo'): string | undefined {
    const { runs, undos } = readUndoHistory(this.events)
    for (const { message, writes } of tool === 'undo' ? runs.toReversed() : undos.slice(-1)) {
      const { steps } = planUndo(writes, (path) => this.files[path] ?? null)
      if (steps.length === 0) continue
      this.#run++
      const call = `call_${this.events.length}`
      for (const { path, blob, reverts } of steps)
        this.#record(path, blob, { tool, call, reverts: tool === 'undo' ? reverts : undefined })
      return message
    }
    return undefined
  }

  #record(path: string, content: string | null, by: { tool: string; call: string; reverts?: number }): void {
    const now = this.files[path]
    const before = now === undefined ? null : { hash: now, mode: 0o644 }
    this.#add('file.written', { ...by, path, before, after: content })
    const { [path]: _, ...others } = this.files
    this.files = content === null ? others : { ...others, [path]: content }
  }

  #add(type: string, payload: object): void {
    const pos = this.events.length + 1
    this.events.push({
      type,
      payload,
      pos,
      seq: pos,
      ts: pos,
      id: `e${pos}`,
      run_id: `run_${this.#run}`,
    } as never)
  }
}

it.each(Array.from({ length: 300 }, (_, seed) => seed))(
  'walks back and forward through history %i',
  (seed) => {
    const random = rng(seed)
    const thread = new SimulatedThread()
    /** States of the files: before each run with an effect, and after undos that can be redone. */
    const past: { message: string; files: Files }[] = []
    let future: { message: string; files: Files }[] = []
    for (let step = 0; step < 40; step++) {
      const kind = choice(random, ['run', 'run', 'idle', 'undo', 'undo', 'redo'] as const)
      const before = thread.files
      if (kind === 'idle') thread.say(`question ${step}`)
      else if (kind === 'run') {
        const message = `order ${step}`
        thread.say(message)
        const count = 1 + Math.floor(random() * 3)
        // each content is new, so that only an undo restores an earlier state
        for (let i = 0; i < count; i++)
          thread.write(choice(random, ['/w/a', '/w/b', '/w/c']), `content ${step}.${i}`)
        past.push({ message, files: before })
        future = []
      } else {
        const [from, to] = kind === 'undo' ? [past, future] : [future, past]
        const expected = from.pop()
        expect(thread.revert(kind)).toBe(expected?.message)
        if (expected) to.push({ message: expected.message, files: before })
        expect(thread.files).toEqual(expected?.files ?? before)
      }
    }
    while (past.length > 0) expect(thread.revert('undo')).toBe(past.pop()?.message)
    expect(thread.files).toEqual({})
    expect(thread.revert('undo')).toBeUndefined()
  },
)

test('repeated contents: all undos together restore the first state, and none repeats', () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = rng(seed)
    const thread = new SimulatedThread()
    for (let run = 0; run < 6; run++) {
      thread.say(`order ${run}`)
      for (let i = 0; i < 3; i++)
        thread.write(choice(random, ['/w/a', '/w/b']), choice(random, ['0', '1', '2']))
    }
    let undos = 0
    while (thread.revert('undo') !== undefined) expect(++undos).toBeLessThanOrEqual(6)
    expect(thread.files).toEqual({})
  }
})

test.each([
  ['a change by a tool', (thread: SimulatedThread) => thread.write('/w/b', 'other')],
  ['an undo by the model', (thread: SimulatedThread) => thread.write('/w/b', 'other', { tool: 'undo' })],
])('%s ends redo', (_, change) => {
  const thread = new SimulatedThread()
  thread.say('first')
  thread.write('/w/a', 'one')
  thread.revert('undo')
  expect(readUndoHistory(thread.events).undos).toHaveLength(1)
  change(thread)
  expect(readUndoHistory(thread.events).undos).toEqual([])
})

test('names the latest message, whether its run has changed files or not', () => {
  const thread = new SimulatedThread()
  thread.say('write it')
  thread.write('/w/a', 'one')
  thread.say('explain it')
  expect(readUndoHistory(thread.events)).toMatchObject({
    runs: [{ message: 'write it' }],
    latestMessage: 'explain it',
  })
})
