"""The parts of scikit-learn that prepare data and judge results."""
