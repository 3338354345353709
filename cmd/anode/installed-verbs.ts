// The commands that list profiles and skills. They share nearly all of their code, so they load together.
import { profiles } from './profiles/index.ts'
import { skills } from './skills/index.ts'

export const installedVerbs = { profiles, skills }
