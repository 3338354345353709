// The toolset hooman: 24 tools for files, commands, the web, thinking, planning and subagents.

import type { ToolsetDefinition } from '../toolset.ts'
import { hoomanFiles } from './hooman-files.ts'
import { hoomanSearch } from './hooman-search.ts'
import { hoomanSession } from './hooman-session.ts'

export const hooman: ToolsetDefinition = {
  name: 'hooman',
  about: 'Files, commands, the web, thinking, planning and child agents in 24 tools',
  adapters: [...hoomanFiles, ...hoomanSearch, ...hoomanSession],
  policy: { always: 'each', questions: 'numbered' },
}
