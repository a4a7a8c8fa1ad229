/**
 * Scenarios of the official suite that are not judged, each with its reason. The suite is written for a server made for it,
 * with tools, prompts and resources of given names; a product has its own. What is not here must pass without a warning.
 * Extensions (tasks-*, sep-2640-skills-*) belong to no revision, and the suite does not run them with one: we announce none.
 */
const fixture = (name: string) => `calls the fixture ${name}, which only a server made for the suite has`
const noPrompts = 'we offer no prompts and do not say that we do'
const noServerRequests = 'wants a tool that asks the client something in return; ours never do'

export const leftOut: Record<string, string> = {
  'completion-complete': 'we offer no completions and do not say that we do',
  'tools-call-simple-text': fixture('test_simple_text'),
  'tools-call-image': fixture('test_image_content'),
  'tools-call-audio': fixture('test_audio_content'),
  'tools-call-embedded-resource': fixture('test_embedded_resource'),
  'tools-call-mixed-content': fixture('test_multiple_content_types'),
  'tools-call-with-logging': fixture('test_tool_with_logging'),
  'tools-call-error': fixture('test_error_handling'),
  'tools-call-with-progress': fixture('test_tool_with_progress; mcp-waiting.test.ts holds ours to it'),
  'tools-call-sampling': noServerRequests,
  'tools-call-elicitation': noServerRequests,
  'elicitation-sep1034-defaults': noServerRequests,
  'elicitation-sep1330-enums': noServerRequests,
  'json-schema-2020-12': fixture('json_schema_2020_12_tool'),
  'server-sse-polling':
    'is about resuming the answer to a POST; ours is short or a wait that is asked again, only the GET stream resumes',
  'resources-read-text': fixture('test://static-text'),
  'resources-read-binary': fixture('test://static-binary'),
  'resources-templates-read': fixture('test://template/{id}/data'),
  'resources-subscribe':
    'a legacy session hears of its tasks unasked; we do not announce subscriptions there',
  'resources-unsubscribe':
    'a legacy session hears of its tasks unasked; we do not announce subscriptions there',
  'prompts-list': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts,
  'http-custom-header-server-validation': 'wants a tool whose arguments also travel as headers; ours do not',
  'input-required-result-basic-elicitation': noServerRequests,
  'input-required-result-basic-sampling': noServerRequests,
  'input-required-result-basic-list-roots': noServerRequests,
  'input-required-result-request-state': noServerRequests,
  'input-required-result-multiple-input-requests': noServerRequests,
  'input-required-result-multi-round': noServerRequests,
  'input-required-result-missing-input-response': noServerRequests,
  'input-required-result-non-tool-request': noServerRequests,
  'input-required-result-result-type': noServerRequests,
  'input-required-result-tampered-state': noServerRequests,
  'input-required-result-capability-check': noServerRequests,
  'input-required-result-ignore-extra-params': noServerRequests,
  'input-required-result-validate-input': noServerRequests,
}

/** Single checks of scenarios that are judged. */
export const checksLeftOut: Record<string, string> = {
  'sep-2575-server-rejects-undeclared-capability': fixture('test_missing_capability'),
  'sep-2575-missing-capability-http-400': fixture('test_missing_capability'),
  'sep-2575-http-server-no-independent-requests-on-stream': fixture('test_streaming_elicitation'),
  'sep-2575-server-no-log-without-loglevel': fixture('test_logging_tool'),
  'sep-2549-prompts-list-caching-hints': noPrompts,
}
