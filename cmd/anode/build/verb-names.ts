// The names of the commands of `anode build`. Any other first word begins a goal.

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
