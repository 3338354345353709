// The small tools that start, inform and look up other agents. They are loaded together.
import type { Tool } from '../../tool/tool.ts'
import { branch } from './branch.ts'
import { codeReview } from './code_review.ts'
import { findThread } from './find_thread.ts'
import { handoff } from './handoff.ts'
import { readThread } from './read_thread.ts'
import { receiveMessages } from './receive_messages.ts'
import { sendMessage } from './send_message.ts'
import { task } from './task.ts'
import { taskList } from './task_list.ts'

export const agentTools: Readonly<Record<string, Tool>> = {
  branch,
  code_review: codeReview,
  find_thread: findThread,
  handoff,
  read_thread: readThread,
  receive_messages: receiveMessages,
  send_message: sendMessage,
  task,
  task_list: taskList,
} as unknown as Readonly<Record<string, Tool>>
