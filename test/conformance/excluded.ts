const fixture = (name: string) => `calls the fixture ${name}, which only a test server has`
const noPrompts = 'we offer no prompts and do not announce any'
const noServerRequests = 'needs a tool that sends a request to the client; ours never do'

/**
 * Scenarios of the official suite that need not pass, each with its reason. The suite expects a
 * test server with tools, prompts and resources of given names. All other scenarios must pass
 * without a warning. Extensions (tasks-*, sep-2640-skills-*) belong to no revision, so the suite
 * does not run them; we announce none.
 */
export const excludedScenarios: Record<string, string> = {
  'completion-complete': 'we offer no completions and do not announce any',
  'tools-call-simple-text': fixture('test_simple_text'),
  'tools-call-image': fixture('test_image_content'),
  'tools-call-audio': fixture('test_audio_content'),
  'tools-call-embedded-resource': fixture('test_embedded_resource'),
  'tools-call-mixed-content': fixture('test_multiple_content_types'),
  'tools-call-with-logging': fixture('test_tool_with_logging'),
  'tools-call-error': fixture('test_error_handling'),
  'tools-call-with-progress': fixture('test_tool_with_progress (mcp-waiting.test.ts tests progress)'),
  'tools-call-sampling': noServerRequests,
  'tools-call-elicitation': noServerRequests,
  'elicitation-sep1034-defaults': noServerRequests,
  'elicitation-sep1330-enums': noServerRequests,
  'json-schema-2020-12': fixture('json_schema_2020_12_tool'),
  'server-sse-polling':
    'resumes the response to a POST; ours are short or can be requested again, and only the GET stream resumes',
  'resources-read-text': fixture('test://static-text'),
  'resources-read-binary': fixture('test://static-binary'),
  'resources-templates-read': fixture('test://template/{id}/data'),
  'resources-subscribe':
    'a session is notified about its tasks without subscribing; we announce no subscriptions there',
  'resources-unsubscribe':
    'a session is notified about its tasks without subscribing; we announce no subscriptions there',
  'prompts-list': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts,
  'http-custom-header-server-validation':
    'needs a tool whose arguments are also sent as headers; ours do not',
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

/** Single checks of the other scenarios that need not pass. */
export const excludedChecks: Record<string, string> = {
  'sep-2575-server-rejects-undeclared-capability': fixture('test_missing_capability'),
  'sep-2575-missing-capability-http-400': fixture('test_missing_capability'),
  'sep-2575-http-server-no-independent-requests-on-stream': fixture('test_streaming_elicitation'),
  'sep-2575-server-no-log-without-loglevel': fixture('test_logging_tool'),
  'sep-2549-prompts-list-caching-hints': noPrompts,
}
