// The tools that list, make and move files and directories, and the one that reverts changes. They
// are loaded together.
import type { Tool } from '../../tool/tool.ts'
import { fsList } from './fs_list.ts'
import { fsMkdir } from './fs_mkdir.ts'
import { fsMove } from './fs_move.ts'
import { fsStat } from './fs_stat.ts'
import { undo } from './undo.ts'

export const folderTools: Readonly<Record<string, Tool>> = {
  fs_list: fsList,
  fs_mkdir: fsMkdir,
  fs_move: fsMove,
  fs_stat: fsStat,
  undo,
} as unknown as Readonly<Record<string, Tool>>
