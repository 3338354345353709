// The commands that start and continue builds. All of them load what runs agents, so they load together.
import { resume, retry } from './resume.ts'
import { start } from './start.ts'

export const agentVerbs = { start, resume, retry }
