// The verbs of `anode study`. Any other first word starts a question.

export const studyVerbNames = [
  'list',
  'status',
  'watch',
  'ask',
  'resume',
  'cancel',
  'report',
  'trace',
  'mailbox',
  'verify',
  'eval',
] as const
