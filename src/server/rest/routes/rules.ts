import { z } from 'zod'
import { Empty } from '../../../contract/field.ts'
import { RuleId } from '../../../contract/ids.ts'
import { ChangeRule, CreateRule, Rule, RuleDetail, Rules, RulesPaused } from '../../../contract/rules/rule.ts'
import { changeRule, createRule, findRule, listRules, pauseAllRules } from '../../domain/rules/rules.ts'
import { defineRoute } from '../route.ts'

const params = z.object({ ruleId: RuleId })

export const ruleRoutes = [
  defineRoute({
    method: 'get',
    path: '/rules',
    operationId: 'rules',
    who: 'member',
    summary: 'List the standing rules of the workspace, newest first and ended ones last.',
    responses: { 200: Rules },
    async handle(service, { actor }) {
      return { status: 200, body: { rules: await listRules(service, actor) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/rules',
    operationId: 'createRule',
    who: 'member',
    role: 'admin',
    summary:
      'Create a standing rule, which answers matching tasks of an app and type at once. Tasks of a version of the agent go to people until people have agreed with the rule often enough. After that, a share of them still goes to people, to compare their answers with those of the rule.',
    body: CreateRule,
    responses: { 201: Rule },
    async handle(service, { actor, body, signal }) {
      return { status: 201, body: await createRule(service, actor, body, signal) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/rules/pause-all',
    operationId: 'pauseAllRules',
    who: 'member',
    role: 'admin',
    summary: 'Pause all active rules. Tasks that match them go to people from now on.',
    body: Empty,
    responses: { 200: RulesPaused },
    async handle(service, { actor }) {
      return { status: 200, body: await pauseAllRules(service, actor) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/rules/{ruleId}',
    operationId: 'rule',
    who: 'member',
    summary: 'Get a rule with its samples, the disagreements and its history.',
    params,
    responses: { 200: RuleDetail },
    async handle(service, { actor, params }) {
      return { status: 200, body: await findRule(service, actor, params.ruleId) }
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/rules/{ruleId}',
    operationId: 'changeRule',
    who: 'member',
    role: 'admin',
    summary: 'Change, pause, resume or end a rule. Tasks that it has answered stay as they are.',
    params,
    body: ChangeRule,
    responses: { 200: Rule },
    async handle(service, { actor, params, body, signal }) {
      return { status: 200, body: await changeRule(service, actor, params.ruleId, body, signal) }
    },
  }),
]
