// Caches of sandboxes, which last from one command to the next. All data in them can be read again.
import { createFileMemory } from './file-record.ts'
import type { FolderMemory } from './folder-places.ts'
import type { MachinePlaces } from './sandbox-mounts.ts'
import type { ContentMemory } from './secret-views.ts'

/**
 * Caches of sandboxes. Sessions of one environment may share them, for example those that run
 * one command each.
 */
export interface SandboxMemory {
  folders: FolderMemory
  files: ReturnType<typeof createFileMemory>
  contents: ContentMemory
  /** Paths of the machine, by the value of PATH. */
  machines: Map<string | undefined, MachinePlaces>
}

export const createSandboxMemory = (): SandboxMemory => ({
  folders: new Map(),
  files: createFileMemory(),
  contents: new Map(),
  machines: new Map(),
})
