/** The folders of a service form no circle. The files beside them put the parts together, so they are left out here. */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycles',
      severity: 'error',
      scope: 'folder',
      from: { path: '^services/(?!dashboard/)' },
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    exclude: { path: `${options.exclude.path}|^services/[^/]+/src/[^/]+\\.ts$|^services/[^/]+/tests/` },
  },
};
