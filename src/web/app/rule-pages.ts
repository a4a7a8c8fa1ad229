// One chunk: the pages share most of their code, and each chunk adds its file name to the script
// that the inbox loads.
export { EditRulePage } from '../features/rules/edit-rule-page.tsx'
export { NewRulePage } from '../features/rules/new-rule-page.tsx'
export { RulePage } from '../features/rules/rule-page.tsx'
export { RulesPage } from '../features/rules/rules-page.tsx'
