import { itemAt } from '../kit/item-at.ts';
import { type C45Node, type C45Tree, leafCount, likeliest } from './c45.ts';

/** The tree in the layout of Weka's J48, without the run's head. `pruned` names the title. */
export function treeText(tree: C45Tree, title: 'J48 pruned tree' | 'J48 unpruned tree'): string {
  const lines: string[] = [];
  const root = itemAt(tree.nodes, 0);
  if (root.children === undefined) lines.push(`: ${leafText(tree, root, root)}`);
  else writeBranches(tree, lines);
  const rule = '-'.repeat(18);
  const size = `Number of Leaves  : \t${leafCount(tree)}\n\nSize of the tree : \t${tree.nodes.length}\n`;
  return `${title}\n${rule}\n\n${lines.join('\n')}\n\n${size}`;
}

interface Branch {
  readonly parent: C45Node;
  readonly branch: number;
  readonly depth: number;
}

function writeBranches(tree: C45Tree, lines: string[]): void {
  const stack = branchesOf(itemAt(tree.nodes, 0), 0);
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { parent, branch, depth } = next;
    const child = itemAt(tree.nodes, parent.children?.[branch] ?? 0);
    const line = '|   '.repeat(depth) + testText(tree, parent, branch);
    if (child.children === undefined) lines.push(`${line}: ${leafText(tree, child, parent)}`);
    else {
      lines.push(line);
      stack.push(...branchesOf(child, depth + 1));
    }
  }
}

/** Last branch first: they are taken from the end. */
function branchesOf(parent: C45Node, depth: number): Branch[] {
  return (parent.children ?? []).map((_, branch) => ({ parent, branch, depth })).reverse();
}

function testText(tree: C45Tree, node: C45Node, branch: number): string {
  const attribute = tree.attributes[node.attribute ?? 0];
  if (attribute?.kind === 'nominal') return `${attribute.name} = ${attribute.values[branch] ?? ''}`;
  return `${attribute?.name ?? ''} ${branch === 0 ? '<=' : '>'} ${decimals(node.threshold ?? 0, 6)}`;
}

/** class (cases/errors), weights to two decimals; an empty leaf takes its parent's class. */
function leafText(tree: C45Tree, leaf: C45Node, parent: C45Node): string {
  const total = leaf.counts.reduce((sum, count) => sum + count, 0);
  const named = likeliest(total > 0 ? leaf.counts : parent.counts);
  const wrong = total - (leaf.counts[named] ?? 0);
  const errors = total > 0 && wrong > 1e-6 ? `/${javaDouble(wrong)}` : '';
  return `${tree.classes[named] ?? ''} (${javaDouble(total)}${errors})`;
}

function javaDouble(value: number): string {
  const text = decimals(value, 2);
  return text.includes('.') ? text : `${text}.0`;
}

/** At most so many decimals, no trailing zeros. */
function decimals(value: number, places: number): string {
  return String(Number(value.toFixed(places)));
}
