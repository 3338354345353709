// List of the files and directories of a workspace, in the form that a search needs. Long work pauses
// for key input.
import { realpathSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { type ByteName, textOfBytes } from '../../../base/text/byte-name.ts'
import { monotonicNow } from '../../../base/time-limit.ts'
import type { RunCommand } from '../../../process/process-command.ts'
import { listFiles } from '../../../search/file-list.ts'
import { prepareScoredPath, type ScoredPath } from '../../../search/fuzzy-score.ts'
import { ripgrepPrograms } from '../../../search/ripgrep/ripgrep.ts'
import type { MentionChoice } from '../../../session/client.ts'

/** A candidate name in the form that queries are compared with. */
export interface MentionName extends ScoredPath {
  readonly choice: MentionChoice
  /** Whether a part of the name starts with a dot. */
  readonly isHidden: boolean
}

const listMs = 5_000

/** Milliseconds of work after which the work pauses, so that waiting key input is processed. */
const turnMs = 5

/**
 * Creates a timer for pauses in long work. `isDue` returns true after 5 ms of work; `give` resolves after
 * waiting key input was processed.
 */
export function createTurns(): { isDue(): boolean; give(): Promise<void> } {
  let since = monotonicNow()
  return {
    isDue: () => monotonicNow() - since >= turnMs,
    async give() {
      await setImmediate()
      since = monotonicNow()
    },
  }
}

/**
 * Returns the files of the workspace and their directories, without sensitive names and ignored files. The
 * listing stops after 5 seconds, so a large workspace may be incomplete.
 */
export async function listChoices(workspace: string, run: RunCommand): Promise<MentionName[]> {
  const choices: MentionName[] = []
  const folders = new Set<string>()
  const waiting: ByteName[][] = []
  const prepare = async () => {
    const turns = createTurns()
    for (let names = waiting.shift(); names; names = waiting.shift()) {
      for (let i = 0; i < names.length; i++) {
        const path = textOfBytes(names[i] as ByteName)
        addFolders(path, folders, choices)
        choices.push(nameChoice({ path, kind: 'file' }, path))
        if (i % 256 === 255 && turns.isDue()) await turns.give()
      }
    }
  }
  let preparing: Promise<void> | undefined
  const dir = realpathSync(workspace)
  const tree = { dir, top: dir, hidden: true, guarded: true }
  const means = { run, signal: new AbortController().signal, timeoutMs: listMs, programs: ripgrepPrograms() }
  await listFiles(tree, means, (names) => {
    waiting.push(names)
    preparing ??= prepare().finally(() => {
      preparing = undefined
    })
  })
  await preparing
  return choices
}

function addFolders(path: string, folders: Set<string>, choices: MentionName[]): void {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end)
    if (folders.has(folder)) return
    folders.add(folder)
    choices.push(nameChoice({ path: `${folder}/`, kind: 'directory' }, folder))
  }
}

/** Prepares a choice for the search. Queries are compared with `text`. */
export function nameChoice(choice: MentionChoice, text: string): MentionName {
  const { path, folded, letters, nameAt, cost } = prepareScoredPath(text, false)
  // a single object shape with explicit fields is fast for many names
  return { path, folded, letters, nameAt, cost, choice, isHidden: isHiddenPath(text) }
}

const isHiddenPath = (path: string) => path.startsWith('.') || path.includes('/.')
