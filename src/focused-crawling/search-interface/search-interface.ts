import type { FormType } from '../../model/lists.ts';
import type { Control, Form, Page } from '../../model/page.ts';
import { ACCEPT_SCORE, isNamedLikeQuery, isTextInput, ruleScore } from './form-rules.ts';
import { otherFormType } from './form-types.ts';
import { searchActionTemplates } from './search-action.ts';

export { parseOpenSearch } from './opensearch.ts';

export interface ClassifiedForm {
  readonly type: FormType;
  /** Sum of the rules' weights; search forms have 4 or more. */
  readonly score: number;
}

/** A form found to be for searching; nothing else may be submitted. */
export type SearchForm = Form & { readonly type: 'search' };

/** A way into a site's own search, as its page offers it. */
export type FoundInterface =
  | { readonly kind: 'form'; readonly form: SearchForm; readonly field: string; readonly score: number }
  /** An OpenSearch description, still to be read; absolute URL. */
  | { readonly kind: 'opensearch'; readonly description: string }
  /** schema.org SearchAction; `parameter` stands in braces in the template. */
  | { readonly kind: 'search-action'; readonly template: string; readonly parameter: string }
  /** Works through script only: a text box without form or name. */
  | { readonly kind: 'browser'; readonly field: string };

/** What a form is for. A score of {@link ACCEPT_SCORE} makes it a search form, whatever else it looks like. */
export function classifyForm(form: Form): ClassifiedForm {
  const score = ruleScore(form);
  return { type: score >= ACCEPT_SCORE ? 'search' : otherFormType(form), score };
}

/**
 * Rules and model together: forms the rules are sure of, and what the model finds likelier than not. The rules that hold
 * are among the model's features, so a low score counts against a form without ruling it out.
 */
export function isSearchForm(score: number, probability: number): boolean {
  return score >= SURE_SCORE || probability >= 0.5;
}

const SURE_SCORE = 7;

/** The search interfaces of a page: descriptions that say so first, then forms, the surest first. */
export function findInterfaces(page: Page): readonly FoundInterface[] {
  const base = page.baseUrl ?? page.url;
  const actions = searchActionTemplates(page.jsonLd).map((found) => ({ kind: 'search-action', ...found }) as const);
  const descriptions = page.headLinks.flatMap((link) => {
    const isDescription = link.rel.includes('search') && link.type.toLowerCase().startsWith(OPENSEARCH_TYPE);
    const target = isDescription ? URL.parse(link.href, base)?.href : undefined;
    return target === undefined ? [] : [{ kind: 'opensearch', description: target } as const];
  });
  const forms = page.forms.flatMap(asInterface).sort((a, b) => scoreOf(b) - scoreOf(a));
  return [...actions, ...descriptions, ...forms, ...page.looseControls.flatMap(asLooseInterface)];
}

const OPENSEARCH_TYPE = 'application/opensearchdescription+xml';

/** Name of the control that takes the keyword; '' when it has none. */
function queryField(form: Form): string | undefined {
  const boxes = form.controls.filter(isTextInput);
  const best =
    boxes.find((control) => control.type === 'search') ??
    boxes.find(isNamedLikeQuery) ??
    boxes.find(isNamed) ??
    boxes[0];
  return best?.name;
}

function asInterface(form: Form): FoundInterface[] {
  const { type, score } = classifyForm(form);
  const field = queryField(form);
  if (type !== 'search' || field === undefined) return [];
  if (field === '' || form.method === 'dialog') return [{ kind: 'browser', field: form.id }];
  return [{ kind: 'form', form: { ...form, type }, field, score }];
}

function asLooseInterface(control: Control): FoundInterface[] {
  const isSearch = control.type === 'search' || (control.type === 'text' && isNamedLikeQuery(control));
  return isSearch ? [{ kind: 'browser', field: control.name === '' ? control.id : control.name }] : [];
}

function isNamed(control: Control): boolean {
  return control.name !== '';
}

function scoreOf(found: FoundInterface): number {
  return found.kind === 'form' ? found.score : 0;
}
