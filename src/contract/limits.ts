/**
 * Limits of the service. Sizes are in UTF-8 bytes, lengths in UTF-16 code units, times in the unit
 * that the name says.
 */
export const limits = {
  bodyBytes: 1024 * 1024,
  payloadBytes: 512 * 1024,
  answerBytes: 256 * 1024,
  metadataBytes: 8 * 1024,
  editsBytes: 64 * 1024, // before, after and diff of all edits of an answer
  bodyDepth: 64,
  bodyValues: 100_000, // objects, arrays, strings, numbers, true, false and null
  objectKeys: 10_000,
  batchMessages: 20, // JSON-RPC messages in one request
  batchTasks: 100, // tasks in one request
  actions: 50,
  actionId: 64,
  actionTitle: 200,
  actionDescription: 2_000,
  name: 200,
  description: 10_000,
  feedback: 10_000,
  // `presented` of an answer: number of compare fields, items per field, length of a field name.
  presentedFields: 20,
  presentedItems: 1_000,
  presentedField: 200,
  updateMessage: 2_000,
  updatesPerTask: 1_000,
  questionText: 4_000,
  questionsPerTask: 20,
  openQuestionsPerTask: 3,
  agentReplyHours: 24, // then the task returns to people; earlier if half of the time until its deadline is shorter
  noteText: 4_000,
  notesPerTask: 200,
  mentions: 20, // in a note
  revisionsPerTask: 50,
  revisionsBytes: 4 * 1024 * 1024, // all revisions of a task together
  cancelReason: 2_000,
  callbackUrl: 2_048,
  type: 64,
  app: 128,
  version: 128,
  threadId: 128,
  idempotencyKey: 255,
  idempotencyHours: 24,
  eventDays: 30, // then events are deleted; a reader with an older cursor reads the inbox again
  query: 200,
  cursor: 800, // an inbox cursor contains a threadId, with up to three bytes per character
  pageDefault: 20,
  pageMax: 100,
  inboxPageDefault: 100,
  inboxPageMax: 200,
  countPerPriority: 1_000, // open tasks; counting stops here, so that an inbox of any size costs the same
  waitSeconds: 50,
  /**
   * A record has at most this many other open tasks of its thread. The page links one task fewer:
   * the last task only shows that there are more.
   */
  threadTasks: 6,
  expiresInSecondsMin: 60,
  expiresInSecondsMax: 2_592_000,
  claimSeconds: 120,
  retentionDays: 3_650,
  passwordMin: 10,
  passwordMax: 128,
  email: 254,
  personName: 100,
  workspaceName: 100,
  keyName: 100,
  keyDays: 3_650,
  groups: 200, // per workspace
  groupName: 100,
  groupSlug: 64,
  groupMembers: 500,
  policies: 200, // per workspace
  timeZone: 64,
  pushEndpoint: 1_000,
  pushBrowsers: 20, // per person and workspace
  slackToken: 200,
  slackChannels: 50, // per workspace
  slackChannelName: 80,
  slackCodeMinutes: 10,
  reviewers: 20, // people and groups in one list of a review or a policy
  reviewersNeeded: 9,
  doubleReviewShare: 0.5, // the largest share of the tasks of a policy
  policyPreviewDays: 7,
  policyMinutes: 43_200, // 30 days, like the longest deadline
  escalationSteps: 3,
  rules: 100, // per workspace, without ended ones
  ruleName: 100,
  ruleConditions: 5,
  ruleField: 200,
  ruleValue: 200,
  ruleValues: 20, // of one condition
  ruleVersions: 20,
  ruleSampleMin: 0.05, // share of the matching tasks
  ruleSampleDefault: 0.1,
  ruleDays: 90,
  allowedDisagreementMin: 0.005,
  allowedDisagreementMax: 0.2,
  allowedDisagreementDefault: 0.02,
  ruleNewVersionAgreements: 59, // answers in a row that must agree until a new version passes: at most 5 % disagree, with 95 % certainty
  ruleOpenSamples: 10, // the rule rests while this many samples are open
  ruleSampleHours: 24, // the rule also rests while a sample has been open for this long
  ruleLifeEvidence: 20, // a rule with this much evidence against it pauses
  ruleRecentEvidence: 1_000, // the same for evidence of a recent change
  ruleFigureDays: 30,
  ruleFigureCount: 100_000, // counting stops here, so that a list of rules has a limited cost
  ruleHistory: 10_000, // answers that suggestions and backtests read
  ruleHistoryDays: 90,
  ruleSuggestionAnswers: 200, // fewer answers give no suggestions
  statisticsDays: 366, // the longest period of one request
  answersToJudge: 10, // fewer answers to the current version of an app and type are not judged
  answersToCompare: 20, // fewer answers to a version, or to all others, are not compared
  healthyNegativeShare: 0.1, // not healthy: the whole 95 % interval of the share of negative answers is above this
  actionOutcomes: 5_000, // set by admins, per workspace
  actionOutcomesPerType: 200, // of these, per app and type
  snoozeDays: 90,
  snoozesPerPerson: 200, // at the same time
  views: 20, // per person, and as many shared by everybody
  viewName: 40,
  keyLimitValues: 20, // each: apps, types and networks that an API key is limited to
  streamsPerPerson: 10,
  streamsPerKey: 500, // MCP streams; each may buffer a page of messages for a stalled reader
  internalDigests: 1_000, // per request of the MCP server to the backend
} as const
