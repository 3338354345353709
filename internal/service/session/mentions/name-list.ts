// The files and folders of a workspace, read so that keys never wait for it, and prepared for queries.
import { realpathSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { monotonicNow } from '../../../base/clock.ts'
import { type ByteName, textOfBytes } from '../../../base/text/byte-name.ts'
import type { RunCommand } from '../../../process/process-command.ts'
import { listFiles } from '../../../search/file-list.ts'
import { prepareScoredPath, type ScoredPath } from '../../../search/fuzzy-score.ts'
import { ripgrepPrograms } from '../../../search/ripgrep/ripgrep.ts'
import type { MentionChoice } from '../../../session/client.ts'

/** A name that may be meant, as queries are held against it. */
export interface MentionName extends ScoredPath {
  readonly choice: MentionChoice
  /** A part of it begins with a dot. */
  readonly isHidden: boolean
}

const listMs = 5_000

/** Work of this long is done before the keys have their turn. */
const turnMs = 5

/** Resolves when keys have had their turn, as often as that is due. */
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

/** Files as they are listed, and each folder that holds one; sensitive names and what git ignores are not. */
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

/** `text` is what a query is held against. */
export function nameChoice(choice: MentionChoice, text: string): MentionName {
  const { path, folded, letters, nameAt, cost } = prepareScoredPath(text, false)
  // one shape, written out: there are many of them
  return { path, folded, letters, nameAt, cost, choice, isHidden: isHiddenPath(text) }
}

const isHiddenPath = (path: string) => path.startsWith('.') || path.includes('/.')
