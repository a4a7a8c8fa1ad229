import ast
import pathlib
import unittest

import handrail


class Syntax(unittest.TestCase):
    def test_every_module_is_python_3_9(self):
        modules = sorted(pathlib.Path(__file__).parent.parent.glob("handrail/*.py"))
        self.assertGreater(len(modules), 5)
        for module in modules:
            ast.parse(module.read_text("utf-8"), str(module), feature_version=(3, 9))

    def test_everything_public_has_a_docstring(self):
        for name in handrail.__all__:
            if name != "__version__":
                self.assertTrue(getattr(handrail, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
