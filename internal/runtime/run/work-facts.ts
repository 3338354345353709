// Facts about the work in a thread, such as changed files, from the recorded events. The summary of a
// shortened conversation contains them.
import { recordActivity } from '../../agent/receipts.ts'
import type { EventType } from '../../event/event.ts'
import type { Store } from '../../store/store.ts'
import { clip } from '../../tool/clip/clip.ts'
import { formatTodos } from '../../tool-support/todo-list.ts'

const maxFiles = 60
const maxOutputChars = 800
const pageSize = 100
const types: readonly EventType[] = ['tool.call', 'tool.result', 'file.written', 'child.ended']

/**
 * Returns a text with the todo list, the last 60 changed files, and the last failed command unless the same
 * command has succeeded since. Empty if all three are missing.
 */
export function describeWork(store: Store, thread: string, workspace: string, todoList: string): string {
  const { changed, failure } = readWork(store, thread, workspace)
  const todos = store.todos.read(todoList)
  const parts: string[] = []
  if (todos.length > 0) parts.push(`Todo list:\n${formatTodos(todos)}`)
  if (changed.length > 0) {
    const more = changed.length - maxFiles
    const rest = more > 0 ? ` and ${more} more` : ''
    parts.push(`Changed files: ${changed.slice(-maxFiles).join(', ')}${rest}`)
  }
  if (failure) {
    const output = clip(failure.text, { chars: maxOutputChars, lines: 20, keep: 'ends' }).text
    parts.push(`Last failed command (exit ${failure.exit}): ${failure.command}\n${output}`)
  }
  return parts.join('\n\n')
}

interface FailedCommand {
  command: string
  exit: number
  text: string
}

function readWork(store: Store, thread: string, workspace: string) {
  const activity = recordActivity(workspace)
  const lines = new Map<string, string>()
  let failure: FailedCommand | undefined
  for (let after = 0; ; ) {
    const page = store.threads.events(thread, after, pageSize, types)
    for (const event of page) {
      activity.add(event)
      if (event.type === 'tool.call') {
        const command = event.payload.scope?.find(({ kind }) => kind === 'command')
        if (command?.kind === 'command') lines.set(event.payload.call, command.line)
      }
      if (event.type !== 'tool.result') continue
      const { call, exit, pipe = [], pipes = [pipe], text } = event.payload
      const command = lines.get(call)
      lines.delete(call)
      if (command === undefined || exit === undefined) continue
      // exit code 141 means that a program in a pipe ended because the next program had read enough, so it
      // counts as success
      const failed = [...pipes.flat(), exit].find((code) => code !== 0 && code !== 141)
      if (failed !== undefined) failure = { command, exit: failed, text }
      else if (failure?.command === command) failure = undefined
    }
    const last = page.at(-1)
    if (!last || page.length < pageSize) break
    after = last.pos
  }
  return { changed: activity.receipts().changed, failure }
}
