# Cases of unittest about gradients
import io
import unittest

import torch


def relu(x):
    return x * (x > 0)


class TestRelu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.manual_seed(0)
        print("class", cls.__name__)

    def setUp(self):
        self.x = torch.tensor([-1.0, 2.0], requires_grad=True)

    def tearDown(self):
        print("down", self.x.grad)

    def test_gradient(self):
        relu(self.x).sum().backward()
        self.assertTrue(torch.equal(self.x.grad, torch.tensor([0.0, 1.0])))
        self.assertEqual(self.x.grad.tolist(), [0.0, 1.0])
        self.assertAlmostEqual(self.x.grad.sum().item(), 1.0 + 1e-9)
        self.assertIsNone(self.x.grad_fn)

    def test_errors(self):
        with self.assertRaises(RuntimeError) as caught:
            relu(self.x).backward()
        print(caught.exception)
        with self.assertRaisesRegex(ValueError, "no .*"):
            raise ValueError("no gradient")
        self.assertRaises(ZeroDivisionError, lambda a, b: a // b, 1, 0)

    def test_fails(self):
        self.assertEqual(relu(self.x)[1].item(), 3.0, "wrong")

    def test_breaks(self):
        for i in range(2):
            with self.subTest(i=i):
                print("sub", i)
        self.x.undefined

    @unittest.skip("not today")
    def test_skipped(self):
        print("never")

    def helper(self):
        print("never")


class TestAnother(TestRelu):
    test_fails = test_breaks = None

    def test_more(self):
        self.assertIn(2.0, self.x.tolist())
        self.assertGreater(self.x.max(), 1)
        self.assertIsInstance(self.x, torch.Tensor)
        self.assertNotEqual(self.x.sum().item(), 0)
        for check in (
            lambda: self.assertTrue(0), lambda: self.assertEqual(1, 2, "msg"), lambda: self.assertIs(None, 1),
            lambda: self.assertAlmostEqual(1.0, 1.5), lambda: self.assertAlmostEqual(1.0, 1.5, delta=0.25),
            lambda: self.assertLess(2, 1), lambda: self.assertIn(1, []), lambda: self.assertIsNone(3),
            lambda: self.assertRaises(KeyError, int), lambda: self.fail("now"), lambda: self.assertFalse([1]),
        ):
            try:
                check()
            except AssertionError as e:
                print(e)


del TestAnother.test_fails, TestAnother.test_breaks
for case in (TestAnother, TestRelu):
    suite = unittest.TestLoader().loadTestsFromTestCase(case)
    result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
    print(suite.countTestCases(), result.testsRun, [len(found) for found in (result.failures, result.errors)])
    print(len(result.skipped), result.wasSuccessful())
all_of_them = unittest.TestSuite()
all_of_them.addTest(TestRelu("test_gradient"))
print(unittest.TextTestRunner(stream=io.StringIO()).run(all_of_them).wasSuccessful())
