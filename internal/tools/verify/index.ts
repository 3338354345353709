// The tools that check work and claims. Few conversations need one of them, so they are loaded together.
import type { Tool } from '../../tool/tool.ts'
import { prove } from './prove.ts'
import { researchCompare } from './research_compare.ts'
import { study } from './study.ts'
import { studyVerify } from './study_verify.ts'

export const verifyTools: Readonly<Record<string, Tool>> = {
  prove,
  research_compare: researchCompare,
  study,
  study_verify: studyVerify,
} as unknown as Readonly<Record<string, Tool>>
