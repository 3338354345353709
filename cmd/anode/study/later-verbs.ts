// The commands that continue or end a study that has begun. All of them load what runs a study, so
// they load together.
import { ask } from './ask.ts'
import { cancel } from './cancel.ts'
import { resume } from './resume.ts'

export const laterVerbs = { ask, resume, cancel }
