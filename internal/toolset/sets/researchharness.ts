// The toolset researchharness: 17 tools for files, documents, commands, the web, questions and terminals, and
// an optional editor.
import type { ToolsetDefinition } from '../toolset.ts'
import { researchEditor } from './researchharness-editor.ts'
import { researchFiles } from './researchharness-files.ts'
import { researchRules } from './researchharness-rules.ts'
import { researchSession } from './researchharness-session.ts'

export const researchharness: ToolsetDefinition = {
  name: 'researchharness',
  about: 'Files, documents, commands, the web, questions and terminals in 17 tools; ~ is the workspace',
  adapters: [...researchFiles, ...researchSession, researchEditor],
  policy: { parallel: 3, home: 'workspace', rules: researchRules },
}
