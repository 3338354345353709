// The small tools of a session, such as those for questions to the user, todos, the plan, skills and waiting.
// They are loaded together.
import type { Tool } from '../../tool/tool.ts'
import { askUser } from './ask_user.ts'
import { clock } from './clock.ts'
import { cron } from './cron.ts'
import { listSkills } from './list_skills.ts'
import { planEnter } from './plan_enter.ts'
import { planExit } from './plan_exit.ts'
import { result } from './result.ts'
import { skill } from './skill.ts'
import { sleep } from './sleep.ts'
import { think } from './think.ts'
import { todoRead } from './todo_read.ts'
import { todoWrite } from './todo_write.ts'
import { toolSearch } from './tool_search.ts'

export const sessionTools: Readonly<Record<string, Tool>> = {
  ask_user: askUser,
  clock,
  cron,
  list_skills: listSkills,
  plan_enter: planEnter,
  plan_exit: planExit,
  result,
  skill,
  sleep,
  think,
  todo_read: todoRead,
  todo_write: todoWrite,
  tool_search: toolSearch,
} as unknown as Readonly<Record<string, Tool>>
