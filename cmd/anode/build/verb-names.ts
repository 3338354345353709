// The names of the commands of `anode build`. Another first word begins a goal, unless it seems to be
// a mistyped command.

export const buildVerbNames = [
  'list',
  'status',
  'watch',
  'show',
  'resume',
  'retry',
  'cancel',
  'report',
  'merge',
  'drop',
] as const
